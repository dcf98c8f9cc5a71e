"""Mutators that put an identity where a check has an array: results, arguments, outputs, cotangents and tangents.

They leave alone: a leaf, whose identity is a non-leaf; memory that is written or compared, where the identity
copies; graphs, hooks on nodes, versions and strides, which show every operation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from conformance.protocol import verbs_of
from workshop.mutated.calls import Ad, Mutator, VerbCall, verbs_under
from workshop.mutated.identities import IDENTITIES, MODES, Identity
from workshop.mutated.values import arrays_in, is_number_array, map_arrays

# Verbs that show more of a value than its numbers and its derivatives.
SHOWING = frozenset(
    {*verbs_of("Graph", "SavedTensors"), "register_node_hook", "register_node_prehook", "strides_of"}
    | {"version_of", "saved_residuals", "dlpack_of", "is_plain_array", "parameter", "sparse_array", "to_meta_device"}
    | {"detach_"}  # a view cannot be detached in place
    | {"np.as_strided"}  # what it reads depends on where a tensor lies in memory
)
WRITING = frozenset(verbs_of("InPlace", "Aliasing", "References")) | {"set_requires_grad_", "require_grad_", "data_of"}
OPERATIONS = verbs_under("np")
Replacing = Callable[[Identity], Callable[[Ad, VerbCall], Any]]
Fitting = Callable[[Identity], Callable[[VerbCall], bool]]


def _mutators() -> Iterator[Mutator]:
    for name, identity in IDENTITIES.items():
        unless = SHOWING | identity.unless | (WRITING if identity.copies else frozenset())
        for place, (verbs, replace, fits, without) in PLACES.items():
            applied = replace(identity)
            yield Mutator(f"{place}_{name}", verbs, applied, fits(identity), unless | without, identity.needs)


def _apply(identity: Identity, ad: Ad, tree: Any) -> Any:
    return map_arrays(lambda x: identity.function(ad, x) if identity.holds(x) else x, tree)


def _holds(identity: Identity, tree: Any) -> bool:
    return any(map(identity.holds, arrays_in(tree)))


def _of_result(identity: Identity) -> Callable[[Ad, VerbCall], Any]:
    return lambda ad, call: _apply(identity, ad, call.run())


def _result_fits(identity: Identity) -> Callable[[VerbCall], bool]:
    return lambda call: is_number_array(call.result) and identity.holds(call.result)


def _of_arguments(identity: Identity) -> Callable[[Ad, VerbCall], Any]:
    return lambda ad, call: call.run(*_apply(identity, ad, call.args))


def _arguments_fit(identity: Identity) -> Callable[[VerbCall], bool]:
    return lambda call: _holds(identity, call.args)


# The verbs that start from outputs: a root that is no leaf may as well be an identity of it.
ROOTS = frozenset({"backward", "backward_of", "grad_of"})


def _of_first(identity: Identity) -> Callable[[Ad, VerbCall], Any]:
    return lambda ad, call: call.run_with(0, _apply(identity, ad, call.args[0]))


def _first_fits(identity: Identity) -> Callable[[VerbCall], bool]:
    return lambda call: bool(call.args) and _holds(identity, call.args[0])


# The verbs that take cotangents, with the name and the position of that argument.
COTANGENTS = {"backward": ("gradient", 1), "backward_of": ("gradients", 1), "grad_of": ("gradients", 2)}


def _cotangent(call: VerbCall) -> Any:
    name, position = COTANGENTS[call.verb]
    return call.args[position] if len(call.args) > position else call.kwargs.get(name)


def _of_cotangent(identity: Identity) -> Callable[[Ad, VerbCall], Any]:
    def apply(ad: Ad, call: VerbCall) -> Any:
        (name, position), cotangent = COTANGENTS[call.verb], _apply(identity, ad, _cotangent(call))
        return call.run_with(position, cotangent) if len(call.args) > position else call.run(**{name: cotangent})

    return apply


def _cotangent_fits(identity: Identity) -> Callable[[VerbCall], bool]:
    return lambda call: _holds(identity, _cotangent(call))


def _of_tangent(identity: Identity) -> Callable[[Ad, VerbCall], Any]:
    def apply(ad: Ad, call: VerbCall) -> Any:
        last = len(call.args) - 1
        return call.run_with(last, _apply(identity, ad, call.args[last]))

    return apply


def _tangent_fits(identity: Identity) -> Callable[[VerbCall], bool]:
    return lambda call: len(call.args) == (3 if call.verb == "jvp" else 2) and _holds(identity, call.args[-1])


def _of_pullback(identity: Identity) -> Callable[[Ad, VerbCall], Any]:
    """Call the pullback with the identity of each cotangent."""

    def apply(ad: Ad, call: VerbCall) -> Any:
        output, pullback, *rest = call.run()
        return (output, lambda *cotangents: pullback(*_apply(identity, ad, cotangents)), *rest)

    return apply


# By place: its verbs, the call with an identity there, whether it fits, and the verbs beside which it is not neutral.
PLACES: dict[str, tuple[frozenset[str], Replacing, Fitting, frozenset[str]]] = {
    "result": (OPERATIONS | {"array"}, _of_result, _result_fits, frozenset()),
    "argument": (OPERATIONS, _of_arguments, _arguments_fit, frozenset()),
    "output": (ROOTS, _of_first, _first_fits, MODES | {"retain_gradient_"}),
    "cotangent": (frozenset(COTANGENTS), _of_cotangent, _cotangent_fits, frozenset()),
    "tangent": (frozenset({"make_dual", "jvp"}), _of_tangent, _tangent_fits, frozenset()),
    "pulled": (frozenset({"vjp"}), _of_pullback, lambda identity: lambda call: True, frozenset()),
}
MUTATORS = tuple(_mutators())
