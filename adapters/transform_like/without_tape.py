"""What torch.func lacks by design: the tape's features on tensors, each with a program that shows what it does instead.

Probes speak through the adapter and the tensors' own methods, so that each can also be run on a tape, where it must not
hold.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from conformance.protocol import Absence

__all__ = ["TENSOR_FEATURES"]

TORCH = "https://docs.pytorch.org/docs/stable/"
LIMITATIONS = TORCH + "func.ux_limitations.html"


def _shown_refused(ad: Any, program: Callable[[Any], Any], otherwise: str) -> None:
    try:
        ad.grad(program)(ad.array(3.0))
    except RuntimeError as error:
        if "functorch" in str(error):
            return
        raise AssertionError(f"refused for another reason: {error}") from error
    raise AssertionError(otherwise)


def a_flag_is_refused(ad: Any) -> None:
    """A program under `grad` may not set the flag of its argument: the transform decides what is differentiated."""
    _shown_refused(ad, lambda x: x.requires_grad_() * 2.0, "the flag was set")


def a_backward_pass_is_refused(ad: Any) -> None:
    """A program under `grad` may not start a backward pass: gradients are returned, and stored nowhere."""

    def program(x: Any) -> Any:
        (x * x).backward()
        return x * x

    _shown_refused(ad, program, "the backward pass ran")


def a_gradient_to_keep_is_refused(ad: Any) -> None:
    """A program under `grad` may not ask that an intermediate value keep its gradient."""

    def program(x: Any) -> Any:
        y = x * x
        y.retain_grad()
        return y

    _shown_refused(ad, program, "the intermediate value keeps its gradient")


def tangents_nest(ad: Any) -> None:
    """`jvp` within `jvp` gives the second derivative: a level is the transform's own, and nobody enters one."""
    one = ad.array(1.0)
    try:
        _, second = ad.jvp(lambda x: ad.jvp(lambda y: y * y * y, (x,), (one,))[1], (ad.array(2.0),), (one,))
    except Exception as error:
        raise AssertionError(f"the second level raised {type(error).__name__}") from error
    if float(ad.to_numpy(second)) != 12.0:
        raise AssertionError(f"the second level gave {second}, expected 12.0")


TENSOR_FEATURES = (
    Absence(
        features=(
            *("leaf", "requires_grad", "require_grad_", "set_requires_grad_", "is_leaf", "detach_"),
            *("variable", "volatile_of", "set_volatile_", "variable_factory", "register_post_accumulate_hook"),
        ),
        reason="The arguments of a transform say what is differentiated: a flag has no say, and is refused.",
        source=TORCH + "generated/torch.func.grad.html",
        probe=a_flag_is_refused,
    ),
    Absence(
        features=(
            *("backward", "backward_of", "grad_of", "gradient_of"),
            *("set_gradient_", "delete_gradient_", "clear_gradient_", "zero_gradient_"),
        ),
        reason="A transform takes a program and returns its gradients: none is stored in a value.",
        source=TORCH + "func.whirlwind_tour.html",
        probe=a_backward_pass_is_refused,
    ),
    Absence(
        features=("retain_gradient_", "retains_gradient"),
        reason="Gradients are those of the program's arguments: an intermediate value stores none.",
        source=TORCH + "func.whirlwind_tour.html",
        probe=a_gradient_to_keep_is_refused,
    ),
    Absence(
        features=(
            *(f"functional.{name}" for name in ("jacobian", "hessian", "vjp", "jvp", "vhp", "hvp")),
            *("check_gradients", "check_second_gradients", "gradcheck"),
        ),
        reason="torch.autograd.functional and gradcheck make leaves and ask the tape; here no argument can be a leaf.",
        source=LIMITATIONS,
        probe=a_flag_is_refused,
    ),
    Absence(
        features=("dual_level", "make_dual", "primal_of", "tangent_of"),
        reason="Forward mode takes a program and its tangents in one call, and nests: no level is entered by hand.",
        source=TORCH + "generated/torch.func.jvp.html",
        probe=tangents_nest,
    ),
)
