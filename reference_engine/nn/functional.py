"""torch.nn.functional: the functions of neural networks that autograd programs use."""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ..core.tensor import Tensor
from ..functions.calling import overridable
from ..functions.pointwise import relu, sigmoid, softplus, tanh
from ..functions.products import matmul
from ..functions.reducing import log_softmax, mean, softmax, sum
from ..functions.shaping import t

__all__ = ["linear", "log_softmax", "mse_loss", "relu", "sigmoid", "softmax", "softplus", "tanh"]


@overridable
def linear(input: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """``input @ weight.T + bias`` (torch.nn.functional.linear)."""
    result = matmul(input, t(weight))
    return result if bias is None else result + bias


@overridable
def mse_loss(input: Tensor, target: Tensor, reduction: str = "mean") -> Tensor:
    """The mean (or sum, or each) of the squared differences (torch.nn.functional.mse_loss)."""
    squares = (input - target) ** 2
    return squares if reduction == "none" else sum(squares) if reduction == "sum" else mean(squares)
