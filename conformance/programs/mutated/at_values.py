"""Mutators that put an identity where a check has an array: results, arguments, outputs, cotangents and tangents.

What they may not touch: a leaf, which would be one no longer; memory that is written or compared, where the identity
copies; graphs, hooks on nodes, versions and strides, which show every operation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from conformance.programs.mutated.calls import Ad, Mutator, VerbCall, verbs_under
from conformance.programs.mutated.identities import IDENTITIES, MODES, Identity
from conformance.programs.mutated.values import arrays_in, is_number_array, mapped
from conformance.protocol import verbs_of

__all__ = ["MUTATORS"]

# What shows more of a value than its numbers and its derivatives.
SHOWING = frozenset(
    {*verbs_of("Graph", "SavedTensors"), "register_node_hook", "register_node_prehook", "strides_of"}
    | {"version_of", "saved_residuals", "dlpack_of", "is_plain_array", "parameter", "sparse_array", "to_meta_device"}
    | {"detach_"}  # a view cannot be detached in place
    | {"np.as_strided"}  # what it reads depends on where a tensor lies in memory
)
WRITING = frozenset(verbs_of("InPlace", "Aliasing", "References")) | {"set_requires_grad_", "require_grad_", "data_of"}
OPERATIONS = verbs_under("np")


def _mutators() -> Iterator[Mutator]:
    for name, one in IDENTITIES.items():
        unless = SHOWING | one.unless | (WRITING if one.copies else frozenset())
        yield Mutator(f"result_{name}", OPERATIONS | {"array"}, _of_result(one), _result_fits(one), unless, one.needs)
        yield Mutator(f"argument_{name}", OPERATIONS, _of_arguments(one), _arguments_fit(one), unless, one.needs)
        yield Mutator(
            f"output_{name}", ROOTS, _of_first(one), _first_fits(one), unless | {"retain_gradient_"} | MODES, one.needs
        )
        yield Mutator(
            f"cotangent_{name}", frozenset(COTANGENTS), _of_cotangent(one), _cotangent_fits(one), unless, one.needs
        )
        yield Mutator(
            f"tangent_{name}", frozenset({"make_dual", "jvp"}), _of_tangent(one), _tangent_fits(one), unless, one.needs
        )
        yield Mutator(f"pulled_{name}", frozenset({"vjp"}), _of_pullback(one), unless=unless, needs=one.needs)


def _applied(one: Identity, ad: Ad, tree: Any) -> Any:
    return mapped(lambda x: one.made(ad, x) if one.holds(x) else x, tree)


def _holds(one: Identity, tree: Any) -> bool:
    return any(map(one.holds, arrays_in(tree)))


def _of_result(one: Identity) -> Callable[[Ad, VerbCall], Any]:
    return lambda ad, call: _applied(one, ad, call.carried_out())


def _result_fits(one: Identity) -> Callable[[VerbCall], bool]:
    return lambda call: is_number_array(call.result) and one.holds(call.result)


def _of_arguments(one: Identity) -> Callable[[Ad, VerbCall], Any]:
    return lambda ad, call: call.carried_out(*_applied(one, ad, call.args))


def _arguments_fit(one: Identity) -> Callable[[VerbCall], bool]:
    return lambda call: _holds(one, call.args)


# The verbs that start from outputs: a root that is no leaf may as well be an identity of it.
ROOTS = frozenset({"backward", "backward_of", "grad_of"})


def _of_first(one: Identity) -> Callable[[Ad, VerbCall], Any]:
    return lambda ad, call: call.instead(0, _applied(one, ad, call.args[0]))


def _first_fits(one: Identity) -> Callable[[VerbCall], bool]:
    return lambda call: bool(call.args) and _holds(one, call.args[0])


# The verbs that are given cotangents, with the name and the position of that argument.
COTANGENTS = {"backward": ("gradient", 1), "backward_of": ("gradients", 1), "grad_of": ("gradients", 2)}


def _cotangent(call: VerbCall) -> Any:
    name, position = COTANGENTS[call.verb]
    return call.args[position] if len(call.args) > position else call.kwargs.get(name)


def _of_cotangent(one: Identity) -> Callable[[Ad, VerbCall], Any]:
    def does(ad: Ad, call: VerbCall) -> Any:
        (name, position), given = COTANGENTS[call.verb], _applied(one, ad, _cotangent(call))
        return call.instead(position, given) if len(call.args) > position else call.carried_out(**{name: given})

    return does


def _cotangent_fits(one: Identity) -> Callable[[VerbCall], bool]:
    return lambda call: _holds(one, _cotangent(call))


def _of_tangent(one: Identity) -> Callable[[Ad, VerbCall], Any]:
    def does(ad: Ad, call: VerbCall) -> Any:
        last = len(call.args) - 1
        return call.instead(last, _applied(one, ad, call.args[last]))

    return does


def _tangent_fits(one: Identity) -> Callable[[VerbCall], bool]:
    return lambda call: len(call.args) == (3 if call.verb == "jvp" else 2) and _holds(one, call.args[-1])


def _of_pullback(one: Identity) -> Callable[[Ad, VerbCall], Any]:
    """The identity of each cotangent that the pullback is given."""

    def does(ad: Ad, call: VerbCall) -> Any:
        output, pullback, *rest = call.carried_out()
        return (output, lambda *cotangents: pullback(*_applied(one, ad, cotangents)), *rest)

    return does


MUTATORS = tuple(_mutators())
