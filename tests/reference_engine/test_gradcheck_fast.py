"""gradcheck's fast mode: one number per output, which is enough to notice a wrong derivative."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import reference_engine as torch
from reference_engine.autograd import Function, gradcheck


class _Halved(Function):
    """The square, with a derivative that is zero in the first column."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return x**2

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        (x,) = ctx.saved_tensors
        slope = (2 * g * x).clone()
        slope[..., 0] = 0
        return slope


def _leaf(*shape: int, dtype: Any = torch.float64) -> Any:
    torch.manual_seed(0)
    return torch.randn(*shape, dtype=dtype, requires_grad=True)


@pytest.mark.parametrize("forward", [False, True])
def test_right_derivatives_pass(forward: bool) -> None:
    """Real and complex inputs and outputs, several of either, in both modes."""
    z = _leaf(3, dtype=torch.complex128)
    for function, inputs in (
        (lambda x: x.sin() * x.sum(), (_leaf(3, 4),)),
        (lambda z: (z * z).abs(), (z,)),
        (lambda z: z * z.conj() * z, (z,)),
        (lambda x, y: (x @ y.t(), x.sum(0)), (_leaf(3, 4), _leaf(2, 4))),
    ):
        assert gradcheck(function, inputs, fast_mode=True, check_forward_ad=forward)


def test_a_wrong_derivative_is_noticed() -> None:
    """A single wrong column is seen along any direction, but for one in infinitely many."""
    with pytest.raises(RuntimeError, match="in fast mode"):
        gradcheck(_Halved.apply, (_leaf(3, 4),), fast_mode=True)
    assert not gradcheck(_Halved.apply, (_leaf(3, 4),), fast_mode=True, raise_exception=False)


def test_it_calls_the_function_a_fixed_number_of_times() -> None:
    """However many elements there are, which is what makes it fast."""
    counts = []
    for size in (2, 20):
        calls = [0]

        def function(x: Any, calls: list[int] = calls) -> Any:
            calls[0] += 1
            return x.exp()

        gradcheck(function, (_leaf(size),), fast_mode=True, nondet_tol=np.inf, check_undefined_grad=False)
        counts.append(calls[0])
    assert counts[0] == counts[1]
