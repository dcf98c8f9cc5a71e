"""Mutators that change what a check computes: other operations, numbers, flags, writes. A second engine judges them.

Each is defined by the verbs that both engines have; what the engines document alike must come out alike.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from conformance.operations import TABLE
from conformance.operations.row import Operation
from conformance.programs.mutated.calls import Ad, Mutator, VerbCall, named
from conformance.programs.mutated.values import is_number_array, is_real, mapped
from conformance.protocol import verbs_of, vocabulary

__all__ = ["MUTATORS"]

# Names of nodes and what they save are each engine's own.
Does = Callable[[Ad, VerbCall], Any]
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
# Elementwise operations to put behind an array: one whose derivative is its result's, one with a saved argument, one
# that is linear, one with a kink, and one that is not differentiable at zero.
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
    """The operations of that many numbers, without options that must be given; special functions have laws."""
    rows = [one for one in TABLE.values() if one.group in ("Elementwise", "Arithmetic", "Activations")]
    return [one for one in rows if one.elementwise and len(one.arguments) == count and len(one.options) == 1]


def _swapped(name: str) -> Callable[[Ad, VerbCall], Any]:
    return lambda ad, call: getattr(ad.np, name)(*call.args)


def _behind(name: str) -> Callable[[Ad, VerbCall], Any]:
    return lambda ad, call: getattr(ad.np, name)(call.carried_out())


def _then(action: Callable[[Ad, Any], Any]) -> Callable[[Ad, VerbCall], Any]:
    """The result, after something was done to it."""

    def does(ad: Ad, call: VerbCall) -> Any:
        result = call.carried_out()
        action(ad, result)
        return result

    return does


def _before(action: Callable[[Ad, Any], Any]) -> Callable[[Ad, VerbCall], Any]:
    """The same after something was done to the arrays that the call is given."""

    def does(ad: Ad, call: VerbCall) -> Any:
        mapped(lambda x: action(ad, x), call.args)
        return call.carried_out()

    return does


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
    def does(ad: Ad, call: VerbCall) -> Any:
        return call.instead(0, mapped(change, call.args[0], lambda value: isinstance(value, float)))

    return does


def _left_out(ad: Ad, call: VerbCall) -> Any:
    return call.args[0]


def _done_twice(ad: Ad, call: VerbCall) -> Any:
    # Whether a graph that is freed can be used again depends on what its operations save.
    call.carried_out(**({"retain_graph": True} if call.verb in ("backward", "backward_of") else {}))
    return call.carried_out()


def _in_scope(scope: Callable[[Ad], Any]) -> Callable[[Ad, VerbCall], Any]:
    def does(ad: Ad, call: VerbCall) -> Any:
        with scope(ad):
            return call.carried_out()

    return does


def _other(
    name: str, verbs: frozenset[str], does: Callable[[Ad, VerbCall], Any], fits: Callable[[VerbCall], bool]
) -> Mutator:
    return Mutator(name, verbs, does, fits, UNLIKE, neutral=False)


def _mutators() -> Iterator[Mutator]:
    for count in (1, 2):
        rows = _elementwise(count)
        alike = frozenset(f"np.{one.name}" for one in rows)
        for one in rows:
            yield _other(f"swap_{one.name}", alike - {f"np.{one.name}"}, _swapped(one.name), _without_options)
    for name in BEHIND:
        yield _other(f"then_{name}", RESULTS, _behind(name), lambda call: is_real(call.result))
    for name, action in ACTIONS.items():
        yield _other(f"result_{name}", RESULTS | {"leaf", "clone", "view"}, _then(action), _is_array)
        yield _other(f"arguments_{name}", RESULTS - MADE | {"backward", "grad_of"}, _before(action), _any)
    for name, change in NUMBERS.items():
        yield _other(f"numbers_{name}", MADE, _with_numbers(change), _has_numbers)
    yield _other("not_a_leaf", frozenset({"leaf"}), lambda ad, call: call.carried_out()[...], _is_array)
    yield _other("an_array", frozenset({"leaf"}), lambda ad, call: ad.array(*call.args, **call.kwargs), _any)
    yield _other("a_leaf", frozenset({"array"}), lambda ad, call: ad.leaf(*call.args, **call.kwargs), _is_array)
    yield _other("left_out", DOING, _left_out, _any)
    yield _other("done_twice", DOING, _done_twice, _any)
    for name, scope in SCOPES.items():
        yield _other(f"in_{name}", RESULTS | DOING | {"leaf", "grad_of"}, _in_scope(scope), _any)
    for (verb, flag), values in FLAGS.items():
        for value in values:
            name = f"{verb.replace('.', '_')}_with_{flag}_{str(value).lower()}"
            yield _other(name, frozenset({verb}), _with(flag, value), _free(flag, value))


def _any(call: VerbCall) -> bool:
    return bool(call.args)


def _without_options(call: VerbCall) -> bool:
    return not call.kwargs and all(map(is_real, call.args))


def _is_array(call: VerbCall) -> bool:
    return is_number_array(call.result)


def _has_numbers(call: VerbCall) -> bool:
    found: list[float] = []
    mapped(found.append, call.args[:1], lambda value: isinstance(value, float))
    return bool(found)


def _with(flag: str, value: bool) -> Callable[[Ad, VerbCall], Any]:
    return lambda ad, call: call.carried_out(**{flag: value})


def _free(flag: str, value: bool) -> Callable[[VerbCall], bool]:
    """Where the flag is not given by position, nor has that value."""
    return lambda call: len(call.args) <= 3 and call.kwargs.get(flag) is not value


MUTATORS = tuple(_mutators())
