"""Mutators that add options, and scopes around a whole check, that change nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from conformance.features import features_of
from conformance.protocol import verbs_of
from workshop.mutated.calls import CHECK, Ad, Mutator, VerbCall, in_scope, named
from workshop.mutated.identities import COUNTING, ERRORS, TAPE
from workshop.mutated.value_mutators import SHOWING
from workshop.mutated.values import arrays_in, is_number_array, map_arrays

FLAGS = ERRORS | {"requires_grad", "is_leaf", "numpy_of", "register_post_accumulate_hook", "shares_memory", "survives"}
OPTIONS = {
    ("backward", "retain_graph"): (True, ERRORS | {"survives"}),
    ("backward_of", "retain_graph"): (True, ERRORS),
    ("grad_of", "retain_graph"): (True, ERRORS),
    # What `.grad` is then part of a graph, and cannot be written.
    ("grad_of", "create_graph"): (True, FLAGS | SHOWING | frozenset(verbs_of("Hooks", "GradModes", "CustomFunctions"))),
    ("grad_of", "allow_unused"): (True, ERRORS),
    ("vmap", "chunk_size"): (1, ERRORS | TAPE | {"draw", "vjp", "vmap_info", "append"}),
    ("vmap", "randomness"): ("different", ERRORS | {"draw", "vmap_info"}),
    ("jacobian", "chunk_size"): (1, ERRORS),
    ("functional.jacobian", "vectorize"): (True, ERRORS),
    ("functional.hessian", "vectorize"): (True, ERRORS),
    ("functional.jacobian", "create_graph"): (True, FLAGS),
    ("functional.hessian", "create_graph"): (True, FLAGS),
    ("functional.vjp", "create_graph"): (True, FLAGS),
    ("functional.jvp", "create_graph"): (True, FLAGS),
    ("functional.vhp", "create_graph"): (True, FLAGS),
    ("functional.hvp", "create_graph"): (True, FLAGS),
    ("checkpoint", "preserve_rng_state"): (False, frozenset({"draw"})),
}
# The transforms that can set apart what is not differentiated: what they return, without it.
WITHOUT_AUX: dict[str, Callable[[Any], Any]] = {
    "grad": lambda result: result[0],
    "value_and_grad": lambda result: (result[0][0], result[1]),
    "jacobian": lambda result: result[0],
    "jacfwd": lambda result: result[0],
}


# Scopes of a whole check that change nothing, and the verbs beside which they do.
SCOPES: dict[str, tuple[Callable[[Ad], Any], frozenset[str]]] = {
    "held": (lambda ad: ad.saved_tensors_hooks(lambda x: x, lambda x: x), COUNTING | SHOWING | {"checkpoint"}),
    "with_grad": (lambda ad: ad.enable_grad(), frozenset()),
    "outside_inference": (lambda ad: ad.inference_mode(False), frozenset()),
    "in_dual_level": (lambda ad: ad.dual_level(), ERRORS),
}


def _with_option(name: str, value: Any) -> Callable[[Ad, VerbCall], Any]:
    return lambda ad, call: call.run(**{name: value})


def _not_given(name: str) -> Callable[[VerbCall], bool]:
    # Options exclude one another; by position they are passed too seldom to look for them.
    return lambda call: not call.kwargs and len(call.args) < 3


def _with_aux(ad: Ad, call: VerbCall) -> Any:
    program, *others = call.args
    derivative = call.function(
        lambda *args, **kwargs: (program(*args, **kwargs), ad.array(5.0)), *others, **dict(call.kwargs), has_aux=True
    )
    return lambda *args, **kwargs: WITHOUT_AUX[call.verb](derivative(*args, **kwargs))


def _vjp_with_aux(ad: Ad, call: VerbCall) -> Any:
    program, *primals = call.args
    return call.function(lambda *args: (program(*args), ad.array(5.0)), *primals, has_aux=True)[:2]


def _batched_cotangent(ad: Ad, call: VerbCall) -> Any:
    gradients = map_arrays(lambda x: x[None], call.kwargs["gradients"])
    return map_arrays(lambda x: x[0], tuple(call.run(gradients=gradients, is_grads_batched=True)))


def _in_thread(ad: Ad, call: VerbCall) -> Any:
    return ad.in_thread(call.run)


def _mutators() -> Iterator[Mutator]:
    for (verb, option), (value, unless) in OPTIONS.items():
        name, needs = f"{verb.replace('.', '_')}_with_{option}", frozenset({f"{verb}.{option}"})
        yield Mutator(name, frozenset({verb}), _with_option(option, value), _not_given(option), unless, needs)
    yield Mutator("with_aux", frozenset(WITHOUT_AUX), _with_aux, _no_aux, ERRORS, frozenset({"grad.has_aux"}))
    needs = frozenset({"vjp.has_aux"})
    yield Mutator("vjp_with_aux", named("vjp"), _vjp_with_aux, lambda call: not call.kwargs, ERRORS, needs)
    unless = ERRORS | SHOWING
    yield Mutator("with_batched_cotangent", named("grad_of"), _batched_cotangent, _has_cotangents, unless)
    for name, (scope, unless) in SCOPES.items():
        yield Mutator(f"check_{name}", frozenset({CHECK}), in_scope(scope), unless=unless, needs=features_of(scope))
    thread = named("in_thread")
    yield Mutator("check_in_thread", frozenset({CHECK}), _in_thread, unless=thread, needs=thread)


def _no_aux(call: VerbCall) -> bool:
    return "has_aux" not in call.kwargs and len(call.args) < 3


def _has_cotangents(call: VerbCall) -> bool:
    return bool(arrays_in(call.kwargs.get("gradients"), is_number_array))


MUTATORS = tuple(_mutators())
