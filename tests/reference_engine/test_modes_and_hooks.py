"""Modes, hooks, saved tensors, anomaly mode."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Iterator
from typing import Any

import pytest

import reference_engine as torch
from reference_engine.autograd.graph import disable_saved_tensors_hooks, saved_tensors_hooks


def leaf(*values: float) -> torch.Tensor:
    """A leaf of the given values."""
    return torch.tensor(list(values), requires_grad=True)


def test_modes_nest_and_restore() -> None:
    """Each mode holds for its block."""
    with torch.no_grad():
        with torch.enable_grad():
            assert torch.is_grad_enabled()
        assert not torch.is_grad_enabled()
    assert torch.is_grad_enabled()


def test_modes_decorate_functions_and_generators() -> None:
    """A decorated generator runs with the mode, its caller without."""

    @torch.no_grad()
    def states() -> Iterator[bool]:
        yield torch.is_grad_enabled()
        yield torch.is_grad_enabled()

    seen = [(inside, torch.is_grad_enabled()) for inside in states()]
    assert seen == [(False, True), (False, True)]
    assert torch.no_grad(torch.is_grad_enabled)() is False


def test_set_grad_enabled_acts_as_call_and_as_block() -> None:
    """Called, it switches; as a block, it restores."""
    with torch.set_grad_enabled(False):
        assert not torch.is_grad_enabled()
    torch.set_grad_enabled(False)
    assert not torch.is_grad_enabled()
    torch.set_grad_enabled(True)


def test_modes_belong_to_their_thread() -> None:
    """Another thread starts with recording on."""
    seen: list[bool] = []
    with torch.no_grad():
        thread = threading.Thread(target=lambda: seen.append(torch.is_grad_enabled()))
        thread.start()
        thread.join()
    assert seen == [True]


def test_inference_tensors_stay_out_of_autograd() -> None:
    """They cannot be saved for backward, nor changed outside the mode."""
    with torch.inference_mode():
        b = torch.ones(2) * 2
    with pytest.raises(RuntimeError, match="saved for backward"):
        leaf(1.0, 2.0) * b
    with pytest.raises(RuntimeError, match="Inplace update to inference tensor"):
        b.add_(1)


def test_hooks_run_in_the_documented_order() -> None:
    """Tensor hooks, kept gradient, node pre-hook, the node, node hook; leaf: hook, accumulation, post-accumulation."""
    said: list[str] = []
    x = leaf(1.0)
    y = x * 2
    y.register_hook(lambda g: said.append(f"tensor {g.item()}") or g * 10)
    y.grad_fn.register_prehook(lambda gs: said.append(f"pre {gs[0].item()}"))
    y.grad_fn.register_hook(lambda ins, outs: said.append(f"post {ins[0].item()} {outs[0].item()}"))
    x.register_hook(lambda g: said.append("leaf"))
    x.register_post_accumulate_grad_hook(lambda t: said.append(f"accumulated {t.grad.item()}"))
    y.retain_grad()
    y.sum().backward()
    assert said == ["tensor 1.0", "pre 10.0", "post 20.0 10.0", "leaf", "accumulated 20.0"]
    assert y.grad.item() == 10.0


def test_a_removed_hook_is_silent() -> None:
    """The handle takes the hook off."""
    x = leaf(1.0)
    said: list[Any] = []
    handle = x.register_hook(said.append)
    handle.remove()
    x.sum().backward()
    assert said == []


def test_saved_values_can_be_packed() -> None:
    """Hooks decide what is kept, and see every value that is."""
    packed: list[Any] = []
    x = leaf(3.0)
    with saved_tensors_hooks(lambda t: packed.append(t) or t.item(), lambda v: torch.tensor([v])):
        y = x * x
    y.sum().backward()
    assert x.grad.item() == 6.0
    assert len(packed) == 2
    with disable_saved_tensors_hooks("not here"), pytest.raises(RuntimeError, match="not here"):
        saved_tensors_hooks(lambda t: t, lambda t: t).__enter__()


def test_anomaly_mode_names_the_function_and_the_line() -> None:
    """NaN in backward is refused, and the warning shows where forward was called."""
    x = leaf(0.0)
    with torch.autograd.set_detect_anomaly(True), warnings.catch_warnings(record=True) as caught:
        y = x.sqrt() * 0
        with pytest.raises(RuntimeError, match="SqrtBackward0"):
            y.sum().backward()
    assert "x.sqrt()" in str(caught[-1].message)
    assert not torch.is_anomaly_enabled()
