"""PyTorch, with modes changed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from workshop.mutants.mutant import mutant, patched


def _nothing(*given: Any, **named: Any) -> None:
    """What a method that does nothing returns."""


@mutant("torch")
def torch_no_grad_leaks_after_an_exception() -> Iterator[None]:
    """When an exception leaves a no_grad block, recording stays off.

    Models: the mode put back on the ordinary way out only.
    """
    import torch

    def leave(old: Any) -> Any:
        return lambda mode, kind, *rest: None if kind is not None else old(mode, kind, *rest)

    with patched(torch.no_grad, "__exit__", leave):
        yield


@mutant("torch")
def torch_no_grad_leaks() -> Iterator[None]:
    """After a no_grad block recording stays off.

    Models: a mode that is never put back.
    """
    import torch

    with patched(torch.no_grad, "__exit__", lambda old: _nothing):
        yield


@mutant("torch")
def torch_no_grad_always_turns_on() -> Iterator[None]:
    """Leaving a no_grad block turns recording on, whatever it was before.

    Models: a mode put back to its default, and not to what it was.
    """
    import torch

    with patched(torch.no_grad, "__exit__", lambda old: lambda *given: torch._C._set_grad_enabled(True)):
        yield


@mutant("torch")
def torch_no_grad_records() -> Iterator[None]:
    """Operations in a no_grad block are recorded.

    Models: a mode that nobody asks.
    """
    import torch

    with patched(torch.no_grad, "__enter__", lambda old: lambda mode: setattr(mode, "prev", torch.is_grad_enabled())):
        yield


@mutant("torch")
def torch_enable_grad_does_nothing() -> Iterator[None]:
    """enable_grad inside no_grad does not record.

    Models: the outer mode winning over the inner.
    """
    import torch

    with patched(
        torch.enable_grad, "__enter__", lambda old: lambda mode: setattr(mode, "prev", torch.is_grad_enabled())
    ):
        yield


@mutant("torch")
def torch_set_grad_enabled_is_turned() -> Iterator[None]:
    """set_grad_enabled(True) turns recording off, and False on.

    Models: a flag read the wrong way round.
    """
    import torch

    with patched(torch.set_grad_enabled, "__init__", lambda old: lambda mode, flag: old(mode, not flag)):
        yield


@mutant("torch")
def torch_set_grad_enabled_leaks() -> Iterator[None]:
    """After a block of set_grad_enabled the mode stays.

    Models: a mode that is never put back.
    """
    import torch

    with patched(torch.set_grad_enabled, "__exit__", lambda old: _nothing):
        yield


@mutant("torch")
def torch_inference_mode_is_no_grad() -> Iterator[None]:
    """inference_mode is no more than no_grad: what is made inside is an ordinary tensor.

    Models: a cheaper mode taken for the stronger one.
    """
    import torch

    def enter(old: Any) -> Any:
        def weaker(mode: Any) -> None:
            mode._inference_mode_context = torch.no_grad()
            mode._inference_mode_context.__enter__()

        return weaker

    with patched(torch.inference_mode, "__enter__", enter):
        yield


@mutant("torch")
def torch_ignores_anomalies() -> Iterator[None]:
    """detect_anomaly and set_detect_anomaly detect nothing.

    Models: a switch that is not connected.
    """
    import torch

    with patched(torch, "set_anomaly_enabled", lambda old: _nothing):
        yield
