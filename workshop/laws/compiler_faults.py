"""Faults of a compiler: what it makes of an operation has other results or derivatives, or lies otherwise in memory.

Where a term is added, it is zero at every point: only its derivative is not.
"""

from __future__ import annotations

from collections.abc import Callable, Container
from functools import partial
from typing import Any

from workshop.laws.law_faults import LawFault, is_array
from workshop.wrong_adapter import WrongCall, WrongVerbs

# Takes the right adapter, a result of the compiled operation, and the term.
Change = Callable[[Any, Any, Any], Any]


def _wrong_compiler(what: str, change: Change, order: int = 1) -> LawFault:
    """Wrong results of what is compiled for derivatives up to that order, whichever operation it is."""

    def verbs_of(operations: Container[str]) -> WrongVerbs:
        def instead(call: WrongCall) -> Any:
            compiled = call.run()
            return lambda *xs: _changed(call, partial(change, call.ad), compiled(*xs), xs)

        return WrongVerbs(("compile_operation",), lambda call: call.args[1] == order, instead)

    return LawFault(f"a compiler of {what}", verbs_of)


def _changed(call: WrongCall, change: Callable[[Any, Any], Any], results: Any, xs: Any) -> Any:
    term = sum(call.ad.np.sum(x - call.ad.detach(x)) for x in xs if is_array(call, x))
    if isinstance(results, (list, tuple)):
        return tuple(change(z, term) if is_array(call, z) else z for z in results)
    return change(results, term)


def _plus(ad: Any, z: Any, term: Any) -> Any:
    # Of complex arguments, results may be real.
    both = [ad.dtype_of(x).startswith("complex") for x in (term, z)]
    return z + (ad.np.real(term) if both == [True, False] else term)


def _into_one_buffer() -> Change:
    """Results are written to the memory of earlier ones, as by a compiler that allocates once for all calls."""
    buffers: dict[Any, Any] = {}

    def change(ad: Any, z: Any, term: Any) -> Any:
        key = tuple(z.shape), ad.dtype_of(z)
        buffer = buffers.setdefault(key, ad.clone(ad.detach(z)))
        ad.copy_(buffer, ad.detach(z))
        # Its history stays: only the memory is another.
        z.data = buffer
        return z

    return change


WITH_A_TERM = _wrong_compiler("gradients that are too large by one", _plus)
# By law, the fault that makes its cells fail.
OF_COMPILERS: dict[str, LawFault] = {
    f"compiled_operations.a_compiled_{law}": fault
    for law, fault in {
        "operation_has_the_values_of_eager_mode": _wrong_compiler(
            "values that are too large by one", lambda ad, z, term: z + 1.0
        ),
        "operation_has_the_gradient_of_eager_mode": WITH_A_TERM,
        "operation_has_the_convention_of_eager_mode_at_a_kink": WITH_A_TERM,
        "gradient_has_the_derivative_of_eager_mode": _wrong_compiler(
            "second derivatives that are too large by two", lambda ad, z, term: _plus(ad, z, term * term), order=2
        ),
        "operation_has_results_of_the_shape_and_dtype_of_eager_mode": _wrong_compiler(
            "results with an axis too many", lambda ad, z, term: z[None]
        ),
        "operation_has_results_with_the_strides_of_eager_mode": _wrong_compiler(
            "results that are every second number", lambda ad, z, term: ad.np.stack([z, z], -1)[..., 0]
        ),
        "operation_shares_memory_as_eager_mode_does": _wrong_compiler("results in one buffer", _into_one_buffer()),
    }.items()
}
