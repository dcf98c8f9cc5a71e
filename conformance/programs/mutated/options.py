"""Mutators that give options which change nothing, and put scopes around a whole check that change nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from conformance.features import features_of
from conformance.programs.mutated.at_values import SHOWING
from conformance.programs.mutated.calls import CHECK, Ad, Mutator, VerbCall
from conformance.programs.mutated.identities import COUNTING, ERRORS, TAPE
from conformance.programs.mutated.values import arrays_in, is_number_array, mapped
from conformance.protocol import verbs_of

__all__ = ["MUTATORS"]

FLAGS = ERRORS | {"requires_grad", "is_leaf", "numpy_of", "register_post_accumulate_hook", "shares_memory", "survives"}
OPTIONS = {
    ("backward", "retain_graph"): (True, ERRORS | {"survives"}),
    ("backward_of", "retain_graph"): (True, ERRORS),
    ("grad_of", "retain_graph"): (True, ERRORS),
    # What `.grad` is then part of a graph, and cannot be written.
    ("grad_of", "create_graph"): (True, FLAGS | SHOWING | frozenset(verbs_of("Hooks", "GradModes", "CustomFunctions"))),
    ("grad_of", "allow_unused"): (True, ERRORS),
    ("vmap", "chunk_size"): (1, ERRORS | TAPE | {"draw", "vjp", "batch_of", "append"}),
    ("vmap", "randomness"): ("different", ERRORS | {"draw", "batch_of"}),
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
    "grad": lambda found: found[0],
    "value_and_grad": lambda found: (found[0][0], found[1]),
    "jacobian": lambda found: found[0],
    "jacfwd": lambda found: found[0],
}


def _with_option(name: str, value: Any) -> Callable[[Ad, VerbCall], Any]:
    return lambda ad, call: call.carried_out(**{name: value})


def _not_given(name: str) -> Callable[[VerbCall], bool]:
    # Options exclude one another; by position they are given too seldom to be looked for.
    return lambda call: not call.kwargs and len(call.args) < 3


def _with_aux(ad: Ad, call: VerbCall) -> Any:
    program, *others = call.args
    derivative = call.made(
        lambda *args, **kwargs: (program(*args, **kwargs), ad.array(5.0)), *others, **dict(call.kwargs), has_aux=True
    )
    return lambda *args, **kwargs: WITHOUT_AUX[call.verb](derivative(*args, **kwargs))


def _vjp_with_aux(ad: Ad, call: VerbCall) -> Any:
    program, *primals = call.args
    return call.made(lambda *args: (program(*args), ad.array(5.0)), *primals, has_aux=True)[:2]


def _batched_cotangent(ad: Ad, call: VerbCall) -> Any:
    gradients = mapped(lambda x: x[None], call.kwargs["gradients"])
    found = call.carried_out(gradients=gradients, is_grads_batched=True)
    return mapped(lambda x: x[0], tuple(found))


def _held(ad: Ad, call: VerbCall) -> Any:
    with ad.saved_tensors_hooks(lambda kept: kept, lambda kept: kept):
        return call.carried_out()


def _in_scope(scope: Callable[[Ad], Any]) -> Callable[[Ad, VerbCall], Any]:
    def does(ad: Ad, call: VerbCall) -> Any:
        with scope(ad):
            return call.carried_out()

    return does


def _in_thread(ad: Ad, call: VerbCall) -> Any:
    return ad.in_thread(call.carried_out)


def _mutators() -> Iterator[Mutator]:
    for (verb, option), (value, unless) in OPTIONS.items():
        name = f"{verb.replace('.', '_')}_with_{option}"
        yield Mutator(
            name,
            frozenset({verb}),
            _with_option(option, value),
            _not_given(option),
            unless,
            frozenset({f"{verb}.{option}"}),
        )
    no_aux: Callable[[VerbCall], bool] = lambda call: "has_aux" not in call.kwargs and len(call.args) < 3  # noqa: E731
    yield Mutator("with_aux", frozenset(WITHOUT_AUX), _with_aux, no_aux, ERRORS, frozenset({"grad.has_aux"}))
    yield Mutator(
        "vjp_with_aux",
        frozenset({"vjp"}),
        _vjp_with_aux,
        lambda call: not call.kwargs,
        ERRORS,
        frozenset({"vjp.has_aux"}),
    )
    gradients: Callable[[VerbCall], bool] = lambda call: bool(arrays_in(call.kwargs.get("gradients"), is_number_array))  # noqa: E731
    yield Mutator("with_batched_cotangent", frozenset({"grad_of"}), _batched_cotangent, gradients, ERRORS | SHOWING)
    check = frozenset({CHECK})
    yield Mutator("check_held", check, _held, unless=COUNTING | SHOWING | {"checkpoint"}, needs=features_of(_held))
    yield Mutator("check_in_thread", check, _in_thread, unless=frozenset({"in_thread"}), needs=frozenset({"in_thread"}))
    yield Mutator("check_with_grad", check, _in_scope(lambda ad: ad.enable_grad()), needs=frozenset({"enable_grad"}))
    yield Mutator(
        "check_outside_inference",
        check,
        _in_scope(lambda ad: ad.inference_mode(False)),
        needs=frozenset({"inference_mode"}),
    )
    yield Mutator(
        "check_in_dual_level",
        check,
        _in_scope(lambda ad: ad.dual_level()),
        unless=ERRORS,
        needs=frozenset({"dual_level"}),
    )


MUTATORS = tuple(_mutators())
