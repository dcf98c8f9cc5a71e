"""Mutators that ask for the same by another verb, or with an option that changes nothing.

The engines document each pair as the same: the gradient is the pullback of 1, reverse and forward mode give one
Jacobian, a mapped program is a loop.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from conformance.features import features_of
from conformance.programs.mutated.at_values import SHOWING
from conformance.programs.mutated.calls import Ad, Mutator, VerbCall
from conformance.programs.mutated.identities import ERRORS, MODES, RULED
from conformance.programs.mutated.values import arrays_in, is_array, is_number_array, is_real, mapped
from conformance.programs.mutated.wrappers import IMPURE, TRACING, Program

__all__ = ["MUTATORS"]

# Of the real program of one array: the derivative, by other verbs.
Derivative = Callable[[Ad, Program, Any], Any]


def _one(ad: Ad, like: Any) -> Any:
    return ad.cast(ad.array(1.0), ad.dtype_of(like))


def _pulled(ad: Ad, f: Program, x: Any) -> Any:
    output, pullback = ad.vjp(f, x)
    return pullback(_one(ad, output))[0] if is_real(output) else ad.grad(f)(x)


def _transposed(ad: Ad, f: Program, x: Any) -> Any:
    output, linear = ad.linearize(f, x)
    return ad.linear_transpose(linear, x)(_one(ad, output))[0] if is_real(output) else ad.grad(f)(x)


def _split(ad: Ad, f: Program, x: Any) -> Any:
    forward, backward = ad.forward_and_backward(f, (0,))
    output, residuals = forward(x)
    return backward(residuals, _one(ad, output))[0] if is_real(output) else ad.grad(f)(x)


GRADIENTS: Mapping[str, Derivative] = {
    "vjp": _pulled,
    "jacobian": lambda ad, f, x: ad.jacobian(f)(x),
    "jacfwd": lambda ad, f, x: ad.jacfwd(f)(x),
    "value_and_grad": lambda ad, f, x: ad.value_and_grad(f)(x)[1],
    "linear_transpose": _transposed,
    "forward_and_backward": _split,
    "grad_in_map": lambda ad, f, x: ad.vmap(ad.grad(f))(x[None])[0],
}
JACOBIANS: Mapping[str, Derivative] = {
    "jacobian": lambda ad, f, x: ad.jacobian(f)(x),
    "jacfwd": lambda ad, f, x: ad.jacfwd(f)(x),
}
HESSIANS: Mapping[str, Derivative] = {
    "jacobian_of_jacobian": lambda ad, f, x: ad.jacobian(ad.jacobian(f))(x),
    "jacfwd_of_jacobian": lambda ad, f, x: ad.jacfwd(ad.jacobian(f))(x),
    "jacobian_of_jacfwd": lambda ad, f, x: ad.jacobian(ad.jacfwd(f))(x),
    "jacfwd_of_jacfwd": lambda ad, f, x: ad.jacfwd(ad.jacfwd(f))(x),
    "jacobian_of_grad": lambda ad, f, x: ad.jacobian(ad.grad(f))(x),
    "jacfwd_of_grad": lambda ad, f, x: ad.jacfwd(ad.grad(f))(x),
    "functional": lambda ad, f, x: ad.functional.hessian(f, x),
    "functional_vectorized": lambda ad, f, x: ad.functional.hessian(f, x, vectorize=True),
    "functional_forward": lambda ad, f, x: ad.functional.hessian(
        f, x, vectorize=True, outer_jacobian_strategy="forward-mode"
    ),
}


# A loop until a condition has forward mode only.
LOOPS = frozenset({"while_loop", "fori_loop"})
# Forward mode gives the dtype of the output, and may be defined where reverse mode gives NaN.
MODES_DIFFER = frozenset({"cast", "np.isnan"})


def _derived(derivative: Derivative) -> Callable[[Ad, VerbCall], Any]:
    def does(ad: Ad, call: VerbCall) -> Any:
        def of(*args: Any, **kwargs: Any) -> Any:
            # Containers, integers and the like have other rules, by each verb.
            if not args or not is_real(args[0]):
                return call.carried_out()(*args, **kwargs)
            return derivative(ad, lambda x: call.args[0](x, *args[1:], **kwargs), args[0])

        return of

    return does


def _plain(call: VerbCall) -> bool:
    """Without options; of the first argument."""
    return len(call.args) == 1 and not call.kwargs


def _of_jvp(tangent: Callable[..., Any]) -> Callable[[Ad, VerbCall], Any]:
    def does(ad: Ad, call: VerbCall) -> Any:
        program, primals, tangents = call.args
        return tangent(ad, program, tuple(primals), tuple(tangents))

    return does


def _twice_pulled(ad: Ad, f: Program, xs: tuple[Any, ...], ts: tuple[Any, ...]) -> Any:
    """The pullback is linear in the cotangent: its own pullback is the tangent."""
    output, pullback = ad.vjp(f, *xs)
    return output, ad.vjp(pullback, output)[1](ts)[0]


def _linearized(ad: Ad, f: Program, xs: tuple[Any, ...], ts: tuple[Any, ...]) -> Any:
    output, linear = ad.linearize(f, *xs)
    return output, linear(*ts)


def _mapped_jvp(ad: Ad, f: Program, xs: tuple[Any, ...], ts: tuple[Any, ...]) -> Any:
    def tangent(*given: Any) -> Any:
        return ad.jvp(f, xs, given)[1]

    return ad.jvp(f, xs, ts)[0], mapped(lambda t: t[0], ad.vmap(tangent)(*[t[None] for t in ts]))


TANGENTS = {"linearize": _linearized, "vjp": _twice_pulled, "map": _mapped_jvp}


def _jvp_fits(call: VerbCall) -> bool:
    if len(call.args) != 3 or call.kwargs or not isinstance(call.result, (tuple, list)) or len(call.result) != 2:
        return False
    return all(map(is_real, (*arrays_in(call.args[1:], is_array), *call.result)))


# A tape records the pass backward only within another transform: there, a pullback cannot be differentiated.
NEEDS = {"vjp": frozenset({"linearize"})}


def _of_numbers(call: VerbCall) -> bool:
    return not call.kwargs and bool(arrays_in(call.args)) and all(map(is_number_array, arrays_in(call.args, is_array)))


def _by_transpose(ad: Ad, call: VerbCall) -> Any:
    output, linear = ad.linearize(*call.args)
    return output, ad.linear_transpose(linear, *call.args[1:])


def _by_jvp(ad: Ad, call: VerbCall) -> Any:
    program, *primals = call.args
    return program(*primals), lambda *tangents: ad.jvp(program, tuple(primals), tangents)[1]


def _in_a_map(ad: Ad, call: VerbCall) -> Any:
    output, pullback = call.carried_out()
    return output, lambda cotangent: mapped(lambda x: x[0], ad.vmap(pullback)(mapped(lambda c: c[None], cotangent)))


def _row(tree: Any, number: int) -> Any:
    return mapped(lambda x: x[number], tree, is_array)


def _in_a_loop(ad: Ad, call: VerbCall) -> Any:
    def looped(*args: Any, **kwargs: Any) -> Any:
        arrays = arrays_in(args, is_array)
        if kwargs:
            return call.carried_out()(*args, **kwargs)
        rows = [call.args[0](*_row(args, n)) for n in range(len(arrays[0]))]
        if not all(map(is_array, rows)):
            return call.carried_out()(*args)
        return ad.np.stack(rows)

    return looped


def _unrolled(ad: Ad, call: VerbCall) -> Any:
    body, carry, xs = call.args
    ys = []
    for n in range(len(arrays_in(xs, is_array)[0])):
        carry, y = body(carry, _row(xs, n))
        ys.append(y)
    return carry, ad.np.stack(ys) if is_array(ys[0]) else call.carried_out()[1]


def _scan_fits(call: VerbCall) -> bool:
    return (
        len(call.args) == 3
        and bool(arrays_in(call.args[2], is_array))
        and isinstance(call.result, tuple)
        and is_array(call.result[1])
    )


def _backward_of_a_list(ad: Ad, call: VerbCall) -> Any:
    """`backward` of one output is that of a list of one."""
    output, *given = call.args
    gradients = [given[0]] if given else None
    options = dict(call.kwargs)
    if "gradient" in options:
        gradients = [options.pop("gradient")]
    return ad.backward_of([output], gradients, **options)


def _mutators() -> Iterator[Mutator]:
    shared = SHOWING | RULED | ERRORS
    for verb, table in {"grad": GRADIENTS, "jacobian": JACOBIANS, "jacfwd": JACOBIANS, "hessian": HESSIANS}.items():
        unless = shared | IMPURE | MODES | MODES_DIFFER
        for name, one in table.items():
            if name != verb:
                does, needs = _derived(one), features_of(one)
                yield Mutator(f"{verb}_by_{name}", frozenset({verb}), does, _plain, unless, needs)
    unless = shared | TRACING
    for name, tangent in TANGENTS.items():
        does, needs = _of_jvp(tangent), NEEDS.get(name, features_of(tangent))
        yield Mutator(f"jvp_by_{name}", frozenset({"jvp"}), does, _jvp_fits, unless | LOOPS, needs)
    plain = {"linearize": {"by_jvp": _by_jvp}, "vjp": {"by_transpose": _by_transpose, "in_a_map": _in_a_map}}
    for verb, ways in plain.items():
        for name, does in ways.items():
            yield Mutator(f"{verb}_{name}", frozenset({verb}), does, _of_numbers, unless, features_of(does))
    yield Mutator("vmap_in_a_loop", frozenset({"vmap"}), _in_a_loop, _plain, unless | {"vjp"})
    yield Mutator("scan_unrolled", frozenset({"scan"}), _unrolled, _scan_fits, SHOWING | TRACING)
    yield Mutator("backward_of_a_list", frozenset({"backward"}), _backward_of_a_list, unless=SHOWING)


MUTATORS = tuple(_mutators())
