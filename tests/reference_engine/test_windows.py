"""Windows, pads and fits: central differences, both modes and both orders, and batches against loops."""

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
    "pad": (lambda x: F.pad(x, (1, -1, 2, 0), value=0.5), (IMAGE,)),
    "pad by reflection": (lambda x: F.pad(x, (2, 1), "reflect"), (SERIES,)),
    "pad by repetition": (lambda x: F.pad(x, (2, -1), "replicate"), (SERIES,)),
    "pad in a circle": (lambda x: F.pad(x, (2, 1), "circular"), (SERIES,)),
    "conv1d": (lambda x, w: F.conv1d(x, w, stride=2, padding=1), (SERIES, _numbers(2, 2, 3))),
    "conv2d": (lambda x, w, b: F.conv2d(x, w, b, padding=1, dilation=2), (IMAGE, FILTERS, _numbers(2))),
    "conv2d in groups": (lambda x, w: F.conv2d(x, w, groups=2), (IMAGE, FILTERS[:, :1])),
    "unfold": (lambda x: F.unfold(x, 2), (IMAGE,)),
    "max_pool2d": (lambda x: F.max_pool2d(x, 2, 1, 1), (IMAGE,)),
    "batch_norm": (
        lambda x, w, b: F.batch_norm(x, None, None, w, b, training=True),
        (IMAGE, _numbers(2), _numbers(2) + 1),
    ),
    "lstsq, more equations": (lambda a, b: torch.linalg.lstsq(a, b).solution, (_numbers(3, 2), _numbers(3, 1))),
    "lstsq, fewer equations": (lambda a, b: torch.linalg.lstsq(a, b)[0], (_numbers(2, 3), _numbers(2))),
    "residuals": (lambda a, b: torch.linalg.lstsq(a, b).residuals, (_numbers(3, 2), _numbers(3, 1))),
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


def test_random_choices_follow_their_probabilities() -> None:
    """Also for each example of a batch, and with no gradient but zero."""
    torch.manual_seed(0)
    p = torch.tensor([0.0, 0.25, 1.0], requires_grad=True)
    drawn = torch.bernoulli(p.expand(4000, 3))
    assert torch.allclose(drawn.mean(0), p, atol=0.03)
    drawn.sum().backward()
    assert p.grad.tolist() == [0.0, 0.0, 0.0]
    weights = torch.tensor([[0.0, 1.0, 3.0], [2.0, 0.0, 0.0]])
    places = torch.multinomial(weights, 4000, replacement=True)
    assert torch.allclose((places[0] == 2).float().mean(), torch.tensor(0.75), atol=0.03)
    assert places[1].sum() == 0
    firsts = torch.vmap(lambda w: torch.multinomial(w, 1), randomness="different")(weights[:1].expand(4000, 3))
    assert torch.allclose((firsts == 2).float().mean(), torch.tensor(0.75), atol=0.03)
    assert sorted(torch.multinomial(weights[0], 2).tolist()) == [1, 2]


@pytest.mark.parametrize(
    ("weights", "count"), [([1.0, -1.0], 1), ([0.0, 0.0], 1), ([1.0, 0.0], 2), ([1.0, float("inf")], 1)]
)
def test_weights_that_cannot_be_drawn_from_are_refused(weights: list[float], count: int) -> None:
    """Negative, infinite, or too few."""
    with pytest.raises(RuntimeError, match="multinomial"):
        torch.multinomial(torch.tensor(weights), count)
