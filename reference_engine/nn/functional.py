"""torch.nn.functional: the functions of neural networks that autograd programs use."""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ..core.tensor import Tensor
from ..functions.calling import overridable
from ..functions.collecting import pairwise_distance as pairwise_distance
from ..functions.collecting import pdist as pdist
from ..functions.norms import vector_norm
from ..functions.pointwise import relu as relu
from ..functions.pointwise import sigmoid as sigmoid
from ..functions.pointwise import softplus as softplus
from ..functions.pointwise import tanh as tanh
from ..functions.products import matmul
from ..functions.reducing import log_softmax as log_softmax
from ..functions.reducing import softmax as softmax
from ..functions.shaping import t
from ..functions.striding import unfold as stretches
from .activations import *  # noqa: F403
from .convolving import *  # noqa: F403
from .losses import *  # noqa: F403


@overridable
def linear(input: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """``input @ weight.T + bias`` (torch.nn.functional.linear)."""
    result = matmul(input, t(weight))
    return result if bias is None else result + bias


@overridable
def lp_pool1d(input: Tensor, norm_type: float, kernel_size: int, stride: int | None = None) -> Tensor:
    """The p-norm of each stretch along the last dimension, with gradient zero where it is zero.

    Source: torch.nn.functional.lp_pool1d, of numbers that are not negative.
    """
    return vector_norm(stretches(input, -1, kernel_size, stride or kernel_size), norm_type, -1)
