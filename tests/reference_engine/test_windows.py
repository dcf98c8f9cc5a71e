"""Windows, pads and sums of products: central differences, both modes and both orders, and batches against loops."""

from __future__ import annotations

from typing import Any

import pytest

import reference_engine as torch
from reference_engine.nn import functional as F


def _numbers(*shape: int) -> Any:
    count = 1
    for n in shape:
        count *= n
    return (torch.arange(count, dtype=torch.float64) * 0.7 + 0.3).sin().reshape(shape)


IMAGE, FILTERS, SERIES = _numbers(2, 2, 3, 3), _numbers(2, 2, 2, 2), _numbers(1, 2, 4)
CASES: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "pad": (lambda x: F.pad(x, (1, 1, 2, 0), value=0.5), (IMAGE,)),
    "conv1d": (lambda x, w: F.conv1d(x, w, stride=2, padding=1), (SERIES, _numbers(2, 2, 3))),
    "conv2d": (lambda x, w, b: F.conv2d(x, w, b, padding=1, dilation=2), (IMAGE, FILTERS, _numbers(2))),
    "conv2d in groups": (lambda x, w: F.conv2d(x, w, groups=2), (IMAGE, FILTERS[:, :1])),
    "max_pool2d": (lambda x: F.max_pool2d(x, 2, 1, 1), (IMAGE,)),
    "layer_norm": (lambda x, w, b: F.layer_norm(x, (3,), w, b), (IMAGE, _numbers(3), _numbers(3) + 1)),
    "einsum": (lambda x, w: torch.einsum("bcxx,fcuv->bfv", x, w), (IMAGE, FILTERS)),
}


@pytest.mark.parametrize("name", CASES)
def test_derivatives_are_those_of_differences(name: str) -> None:
    """Forward and reverse, first and second order, and batched."""
    function, arrays = CASES[name]
    inputs = tuple(a.clone().requires_grad_() for a in arrays)
    assert torch.autograd.gradcheck(function, inputs, check_forward_ad=True, check_batched_grad=True)
    assert torch.autograd.gradgradcheck(function, inputs)


@pytest.mark.parametrize("name", CASES)
def test_a_batch_is_a_loop(name: str) -> None:
    """What vmap gives for a batch of first arguments is what a loop over them gives."""
    function, (first, *others) = CASES[name]
    batch = torch.stack([first, first * 0.5 + 0.1])
    batched = torch.vmap(lambda x: function(x, *others))(batch)
    looped = torch.stack([function(x, *others) for x in batch])
    assert torch.allclose(batched, looped)
