"""An adapter from outside whose operations are right, wrong, wrong at one point, raising, or not there."""

from __future__ import annotations

from typing import Any, ClassVar

import reference_engine
from adapters.with_reference import ReferenceAdapter
from conformance.protocol import Namespace


def _wrong_at_zero(torch: Any, x: Any) -> Any:
    # The value is right everywhere, and the slope at zero is 2.
    return torch.tanh(x) + torch.where(x == 0, x, torch.zeros_like(x))


def _raising(torch: Any, x: Any) -> Any:
    if x.requires_grad:
        raise RuntimeError("derivative of sinh is not implemented")
    return torch.sinh(x)


class WrongAdapter(ReferenceAdapter):
    """The reference engine, with five operations, of which one is right."""

    name: ClassVar[str] = "wrong"
    np: ClassVar[Namespace] = Namespace(
        reference_engine,
        {
            **{name: f"torch.{name}" for name in ("sum", "exp", "real", "imag", "where")},
            "sin": lambda torch, x: torch.sin(x.detach()) + 2 * (x - x.detach()) * torch.cos(x.detach()),
            "tanh": _wrong_at_zero,
            "sinh": _raising,
            "cosh": "torch.no_such_function",
        },
    )
