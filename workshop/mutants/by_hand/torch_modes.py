"""PyTorch, with modes changed."""

from __future__ import annotations

from typing import Any

from workshop.mutant import mutant


def _nothing(*given: Any, **named: Any) -> None:
    """What a method that does nothing returns."""


@mutant("torch", "torch.no_grad.__exit__")
def no_grad_leaks_after_an_exception(old: Any) -> Any:
    """When an exception leaves a no_grad block, recording stays off.

    Models: the mode put back on the ordinary way out only.
    """
    return lambda mode, kind, *rest: None if kind is not None else old(mode, kind, *rest)


@mutant("torch", "torch.no_grad.__exit__")
def no_grad_leaks(old: Any) -> Any:
    """After a no_grad block recording stays off.

    Models: a mode that is never put back.
    """
    return _nothing


@mutant("torch", "torch.no_grad.__exit__")
def no_grad_always_turns_on(old: Any) -> Any:
    """Leaving a no_grad block turns recording on; it should restore what was before.

    Models: a mode put back to its default, and not to what it was.
    """
    import torch

    return lambda *given: torch._C._set_grad_enabled(True)


@mutant("torch", "torch.no_grad.__enter__")
def no_grad_records(old: Any) -> Any:
    """Operations in a no_grad block are recorded.

    Models: a mode that is never looked at.
    """
    import torch

    # `__exit__` puts `prev` back; without it leaving the block would be an error, which every behaviour notices.
    return lambda mode: setattr(mode, "prev", torch.is_grad_enabled())


@mutant("torch", "torch.enable_grad.__enter__")
def enable_grad_does_nothing(old: Any) -> Any:
    """enable_grad inside no_grad does not record.

    Models: the outer mode winning over the inner.
    """
    import torch

    return lambda mode: setattr(mode, "prev", torch.is_grad_enabled())


@mutant("torch", "torch.set_grad_enabled.__init__")
def set_grad_enabled_is_turned(old: Any) -> Any:
    """set_grad_enabled(True) turns recording off, and False on.

    Models: a flag read the wrong way round.
    """
    return lambda mode, flag: old(mode, not flag)


@mutant("torch", "torch.set_grad_enabled.__exit__")
def set_grad_enabled_leaks(old: Any) -> Any:
    """After a block of set_grad_enabled the mode stays.

    Models: a mode that is never put back.
    """
    return _nothing


@mutant("torch", "torch.inference_mode.__enter__")
def inference_mode_is_no_grad(old: Any) -> Any:
    """inference_mode is no more than no_grad: what is made inside is an ordinary tensor.

    Models: a cheaper mode taken for the stronger one.
    """
    import torch

    def weaker(mode: Any) -> None:
        # `__exit__` closes the context that it finds here.
        mode._inference_mode_context = torch.no_grad()
        mode._inference_mode_context.__enter__()

    return weaker


@mutant("torch", "torch.set_anomaly_enabled")
def ignores_anomalies(old: Any) -> Any:
    """detect_anomaly and set_detect_anomaly detect nothing.

    Models: a switch that is not connected.
    """
    return _nothing
