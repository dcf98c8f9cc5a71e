"""Mutators that ask for the same by another verb, or with an option that changes nothing.

The engines document each pair as the same: the gradient is the pullback of 1, reverse and forward mode give one
Jacobian, a mapped program is a loop.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from conformance.features import features_of
from workshop.mutated.calls import Ad, Mutator, VerbCall
from workshop.mutated.identities import ERRORS, MODES, RULED
from workshop.mutated.value_mutators import SHOWING
from workshop.mutated.values import arrays_in, is_array, is_number_array, is_real, map_arrays
from workshop.mutated.wrappers import IMPURE, TRACING, Program

# The derivative of a real program of one array, by other verbs.
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
    def apply(ad: Ad, call: VerbCall) -> Any:
        def of(*args: Any, **kwargs: Any) -> Any:
            # Containers, integers and the like have other rules, by each verb.
            if not args or not is_real(args[0]):
                return call.run()(*args, **kwargs)
            return derivative(ad, lambda x: call.args[0](x, *args[1:], **kwargs), args[0])

        return of

    return apply


def _plain(call: VerbCall) -> bool:
    """Without options; of the first argument."""
    return len(call.args) == 1 and not call.kwargs


def _of_jvp(tangent: Callable[..., Any]) -> Callable[[Ad, VerbCall], Any]:
    def apply(ad: Ad, call: VerbCall) -> Any:
        program, primals, tangents = call.args
        return tangent(ad, program, tuple(primals), tuple(tangents))

    return apply


def _twice_pulled(ad: Ad, f: Program, xs: tuple[Any, ...], ts: tuple[Any, ...]) -> Any:
    """The pullback is linear in the cotangent: its own pullback is the tangent."""
    output, pullback = ad.vjp(f, *xs)
    return output, ad.vjp(pullback, output)[1](ts)[0]


def _linearized(ad: Ad, f: Program, xs: tuple[Any, ...], ts: tuple[Any, ...]) -> Any:
    output, linear = ad.linearize(f, *xs)
    return output, linear(*ts)


# The primals stay outside of the map: in it, a tangent is batched whose primal is not.
def _mapped_jvp(ad: Ad, f: Program, xs: tuple[Any, ...], ts: tuple[Any, ...]) -> Any:
    def tangent(*tangents: Any) -> Any:
        return ad.jvp(f, xs, tangents)[1]

    return ad.jvp(f, xs, ts)[0], map_arrays(lambda t: t[0], ad.vmap(tangent)(*[t[None] for t in ts]))


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
    output, pullback = call.run()
    return output, lambda cotangent: map_arrays(
        lambda x: x[0], ad.vmap(pullback)(map_arrays(lambda c: c[None], cotangent))
    )


def _row(tree: Any, number: int) -> Any:
    return map_arrays(lambda x: x[number], tree, is_array)


def _in_a_loop(ad: Ad, call: VerbCall) -> Any:
    def looped(*args: Any, **kwargs: Any) -> Any:
        arrays = arrays_in(args, is_array)
        if kwargs:
            return call.run()(*args, **kwargs)
        rows = [call.args[0](*_row(args, n)) for n in range(len(arrays[0]))]
        if not all(map(is_array, rows)):
            return call.run()(*args)
        return ad.np.stack(rows)

    return looped


def _unrolled(ad: Ad, call: VerbCall) -> Any:
    body, carry, xs = call.args
    ys = []
    for n in range(len(arrays_in(xs, is_array)[0])):
        carry, y = body(carry, _row(xs, n))
        ys.append(y)
    return carry, ad.np.stack(ys) if is_array(ys[0]) else call.run()[1]


def _scan_fits(call: VerbCall) -> bool:
    return (
        len(call.args) == 3
        and bool(arrays_in(call.args[2], is_array))
        and isinstance(call.result, tuple)
        and is_array(call.result[1])
    )


def _backward_of_a_list(ad: Ad, call: VerbCall) -> Any:
    """Call `backward_of` with a list of the one output."""
    output, *gradient = call.args
    gradients = gradient[:1] or None
    options = dict(call.kwargs)
    if "gradient" in options:
        gradients = [options.pop("gradient")]
    return ad.backward_of([output], gradients, **options)


def _mutators() -> Iterator[Mutator]:
    shared = SHOWING | RULED | ERRORS
    for verb, table in {"grad": GRADIENTS, "jacobian": JACOBIANS, "jacfwd": JACOBIANS, "hessian": HESSIANS}.items():
        unless = shared | IMPURE | MODES | MODES_DIFFER
        for name, derivative in table.items():
            if name != verb:
                apply, needs = _derived(derivative), features_of(derivative)
                yield Mutator(f"{verb}_by_{name}", frozenset({verb}), apply, _plain, unless, needs)
    unless = shared | TRACING
    for name, tangent in TANGENTS.items():
        apply, needs = _of_jvp(tangent), NEEDS.get(name, features_of(tangent))
        yield Mutator(f"jvp_by_{name}", frozenset({"jvp"}), apply, _jvp_fits, unless | LOOPS, needs)
    plain = {"linearize": {"by_jvp": _by_jvp}, "vjp": {"by_transpose": _by_transpose, "in_a_map": _in_a_map}}
    for verb, ways in plain.items():
        for name, apply in ways.items():
            yield Mutator(f"{verb}_{name}", frozenset({verb}), apply, _of_numbers, unless, features_of(apply))
    yield Mutator("vmap_in_a_loop", frozenset({"vmap"}), _in_a_loop, _plain, unless | {"vjp"})
    yield Mutator("scan_unrolled", frozenset({"scan"}), _unrolled, _scan_fits, SHOWING | TRACING)
    yield Mutator("backward_of_a_list", frozenset({"backward"}), _backward_of_a_list, unless=SHOWING)


MUTATORS = tuple(_mutators())
