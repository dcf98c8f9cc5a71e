"""Adapters from outside whose derivatives are wrong in ways that a plot shows."""

from __future__ import annotations

import os
import sys
from typing import Any, ClassVar

import reference_engine
from adapters.with_reference import ReferenceAdapter
from conformance.protocol import Namespace


def _wrong_at_zero(torch: Any, x: Any) -> Any:
    # The value is right everywhere, and the slope at zero is 2.
    return torch.tanh(x) + torch.where(x == 0, x, torch.zeros_like(x))


def _beyond_both_sides(torch: Any, x: Any) -> Any:
    # The slope at zero is 3.
    return torch.abs(x) + 3 * torch.where(x == 0, x, torch.zeros_like(x))


def _wrong_everywhere(torch: Any, x: Any) -> Any:
    return torch.sin(x.detach()) + 2 * (x - x.detach()) * torch.cos(x.detach())


def _slope_of_two(torch: Any, x: Any) -> Any:
    return torch.log(x.detach()) + 2 * (x - x.detach())


def _deadly(torch: Any, x: Any) -> Any:
    """Wrong in a sweep; ends the process that computes curves."""
    if "derive_worker" in sys.argv[0]:
        os.abort()
    return torch.cosh(x.detach()) + 2 * (x - x.detach()) * torch.sinh(x.detach())


class PlottedAdapter(ReferenceAdapter):
    """The reference engine, with operations that are right, wrong at zero, wrong everywhere, and one that crashes."""

    name: ClassVar[str] = "plotted"
    np: ClassVar[Namespace] = Namespace(
        reference_engine,
        {
            **{name: f"torch.{name}" for name in ("sum", "exp", "real", "imag", "where")},
            "tanh": _wrong_at_zero,
            "abs": _beyond_both_sides,
            "sin": _wrong_everywhere,
            "cosh": _deadly,
            "log": _slope_of_two,
        },
    )


class PlainAdapter(ReferenceAdapter):
    """The reference engine, without operations but sum."""

    name: ClassVar[str] = "plain"
    np: ClassVar[Namespace] = Namespace(reference_engine, {"sum": "torch.sum"})
