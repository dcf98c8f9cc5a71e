"""Mutators that change what a check computes: other operations, numbers, flags, writes. A second engine judges them.

Each is defined by the verbs that both engines have; what the engines document alike must come out alike.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from conformance.operations import TABLE
from conformance.operations.row import Operation
from conformance.protocol import verbs_of, vocabulary
from workshop.mutated.calls import Ad, Mutator, VerbCall, in_scope, named
from workshop.mutated.values import arrays_in, is_number_array, is_real, map_arrays

# Names of nodes and what they save are each engine's own.
# Name, verbs, the call that replaces theirs, and where it fits.
Replacement = tuple[str, tuple[frozenset[str], Callable[[Ad, VerbCall], Any], Callable[[VerbCall], bool]]]
UNLIKE = frozenset(verbs_of("Graph", "Draws")) | {"strides_of", "register_saved_hooks"}
# Random numbers, and losses of which only some engines check that their arguments are in range.
UNLIKE |= {"np.gumbel_softmax", "np.rand_like", "np.binary_cross_entropy", "np.gaussian_nll_loss"}
MADE = frozenset({"array", "leaf"})
RESULTS = frozenset(verb for verb in vocabulary() if verb.startswith("np.")) | {"array"}
# What changes its first argument, or accumulates: to be left out, or done again.
DOING = named(
    "backward backward_of add_ augment_ sub_ mul_ copy_ set_item_ set_gradient_ zero_gradient_ require_grad_ detach_"
    " set_requires_grad_ retain_gradient_ register_hook register_post_accumulate_hook detach clone"
)
# Elementwise operations of an array: with a saved result, with a saved argument, linear, with a kink, and not
# differentiable at zero.
BEHIND = ("sin", "tanh", "exp", "abs", "relu", "sqrt", "square", "reciprocal", "sign")
FLAGS = {
    **{
        (verb, flag): (True, False) for verb in ("backward", "backward_of") for flag in ("retain_graph", "create_graph")
    },
    **{("grad_of", flag): (True, False) for flag in ("retain_graph", "create_graph", "allow_unused")},
    ("grad_of", "materialize_grads"): (True,),
    ("checkpoint", "use_reentrant"): (True, False),
    **{(f"functional.{name}", "create_graph"): (True,) for name in ("jacobian", "hessian", "vjp", "jvp", "vhp", "hvp")},
    **{(f"functional.{name}", "strict"): (True,) for name in ("jacobian", "hessian", "vjp", "jvp", "vhp", "hvp")},
}
SCOPES: dict[str, Callable[[Ad], Any]] = {
    "no_grad": lambda ad: ad.no_grad(),
    "enable_grad": lambda ad: ad.enable_grad(),
}


def _elementwise(count: int) -> list[Operation]:
    """The operations of that many numbers, without required options; special functions have laws."""
    rows = [row for row in TABLE.values() if row.group in ("Elementwise", "Arithmetic", "Activations")]
    return [row for row in rows if row.elementwise and len(row.arguments) == count and len(row.options) == 1]


def _swapped(name: str) -> Callable[[Ad, VerbCall], Any]:
    return lambda ad, call: getattr(ad.np, name)(*call.args)


def _behind(name: str) -> Callable[[Ad, VerbCall], Any]:
    return lambda ad, call: getattr(ad.np, name)(call.run())


def _then(action: Callable[[Ad, Any], Any]) -> Callable[[Ad, VerbCall], Any]:
    """Act on the result."""

    def apply(ad: Ad, call: VerbCall) -> Any:
        result = call.run()
        action(ad, result)
        return result

    return apply


def _before(action: Callable[[Ad, Any], Any]) -> Callable[[Ad, VerbCall], Any]:
    """Act on the arguments before the call."""

    def apply(ad: Ad, call: VerbCall) -> Any:
        map_arrays(lambda x: action(ad, x), call.args)
        return call.run()

    return apply


def _doubled_unseen(ad: Ad, x: Any) -> None:
    with ad.no_grad():
        ad.mul_(x, 2)


def _filled_in_part(ad: Ad, x: Any) -> None:
    if len(x.shape):
        ad.set_item_(x, 0, 3.0)


ACTIONS: dict[str, Callable[[Ad, Any], Any]] = {
    "doubled": lambda ad, x: ad.mul_(x, 2),
    "squared": lambda ad, x: ad.mul_(x, x),
    "doubled_unseen": _doubled_unseen,
    "doubled_by_a_view": lambda ad, x: ad.mul_(x[...], 2),
    "doubled_detached": lambda ad, x: ad.mul_(ad.detach(x), 2),
    "filled_in_part": _filled_in_part,
    "detached": lambda ad, x: ad.detach_(x),
    "set_to_require_grad": lambda ad, x: ad.require_grad_(x),
    "set_to_require_none": lambda ad, x: ad.require_grad_(x, False),
    "hooked": lambda ad, x: ad.register_hook(x, lambda gradient: gradient * 2),
    "retained": lambda ad, x: ad.retain_gradient_(x),
}
NUMBERS: dict[str, Callable[[float], float]] = {
    "zeros": lambda number: 0.0,
    "ones": lambda number: 1.0,
    "negated": lambda number: -number,
    "shifted": lambda number: number + 0.375,
}


def _with_numbers(change: Callable[[float], float]) -> Callable[[Ad, VerbCall], Any]:
    def apply(ad: Ad, call: VerbCall) -> Any:
        return call.run_with(0, map_arrays(change, call.args[0], lambda value: isinstance(value, float)))

    return apply


def _done_twice(ad: Ad, call: VerbCall) -> Any:
    # Whether a graph that is freed can be used again depends on what its operations save.
    call.run(**({"retain_graph": True} if call.verb in ("backward", "backward_of") else {}))
    return call.run()


def _mutators() -> Iterator[Mutator]:
    for name, (verbs, apply, fits) in (*_swaps(), *_changes(), *_flags()):
        yield Mutator(name, verbs, apply, fits, UNLIKE, neutral=False)


def _swaps() -> Iterator[Replacement]:
    """Elementwise operations in place of another, or behind any."""
    for rows in map(_elementwise, (1, 2)):
        alike = frozenset(f"np.{row.name}" for row in rows)
        for row in rows:
            yield f"swap_{row.name}", (alike - {f"np.{row.name}"}, _swapped(row.name), _without_options)
    for name in BEHIND:
        yield f"then_{name}", (RESULTS, _behind(name), lambda call: is_real(call.result))


def _changes() -> Iterator[Replacement]:
    """Writes, flags and hooks before or after a call, other numbers, and calls that are left out or repeated."""
    for name, action in ACTIONS.items():
        yield f"result_{name}", (RESULTS | {"leaf", "clone", "view"}, _then(action), _is_array)
        yield f"arguments_{name}", (RESULTS - MADE | {"backward", "grad_of"}, _before(action), _any)
    for name, change in NUMBERS.items():
        yield f"numbers_{name}", (MADE, _with_numbers(change), _has_numbers)
    yield "not_a_leaf", (named("leaf"), lambda ad, call: call.run()[...], _is_array)
    yield "an_array", (named("leaf"), lambda ad, call: ad.array(*call.args, **call.kwargs), _any)
    yield "a_leaf", (named("array"), lambda ad, call: ad.leaf(*call.args, **call.kwargs), _is_array)
    yield "left_out", (DOING, lambda ad, call: call.args[0], _any)
    yield "done_twice", (DOING, _done_twice, _any)
    for name, scope in SCOPES.items():
        yield f"in_{name}", (RESULTS | DOING | {"leaf", "grad_of"}, in_scope(scope), _any)


def _flags() -> Iterator[Replacement]:
    for (verb, flag), values in FLAGS.items():
        for value in values:
            name = f"{verb.replace('.', '_')}_with_{flag}_{str(value).lower()}"
            yield name, (frozenset({verb}), _with(flag, value), _free(flag, value))


def _any(call: VerbCall) -> bool:
    return bool(call.args)


def _without_options(call: VerbCall) -> bool:
    return not call.kwargs and all(map(is_real, call.args))


def _is_array(call: VerbCall) -> bool:
    return is_number_array(call.result)


def _has_numbers(call: VerbCall) -> bool:
    return bool(arrays_in(call.args[:1], lambda value: isinstance(value, float)))


def _with(flag: str, value: bool) -> Callable[[Ad, VerbCall], Any]:
    return lambda ad, call: call.run(**{flag: value})


def _free(flag: str, value: bool) -> Callable[[VerbCall], bool]:
    """Whether the flag is not passed by position, and does not have that value."""
    return lambda call: len(call.args) <= 3 and call.kwargs.get(flag) is not value


MUTATORS = tuple(_mutators())
