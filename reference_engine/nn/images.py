"""The layers of networks for images and sequences: convolutions, what is between them, and normalisations."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ..core.tensor import Tensor
from ..functions.creation import ones, tensor, zeros
from ..functions.shaping import flatten
from . import functional as F
from . import init
from .layers import draw_within
from .module import Module
from .parameter import Parameter

Sizes = int | Sequence[int]


class _Convolution(Module):
    """Filters slid over the input, which start uniform within one over the root of the size of a filter."""

    dimensions: int

    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: Sizes, stride: Sizes = 1, padding: Any = 0,
        dilation: Sizes = 1, groups: int = 1, bias: bool = True, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        kernel = (kernel_size,) * self.dimensions if isinstance(kernel_size, int) else tuple(kernel_size)
        self.how = (stride, padding, dilation, groups)
        self.weight = Parameter(init.empty((out_channels, in_channels // groups, *kernel), dtype))
        self.register_parameter("bias", Parameter(init.empty((out_channels,), dtype)) if bias else None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw weight and bias anew."""
        draw_within(self, math.prod(self.weight.shape[1:]))


class Conv1d(_Convolution):
    """Filters slid along one dimension (torch.nn.Conv1d)."""

    dimensions = 1

    def forward(self, input: Tensor) -> Any:
        return F.conv1d(input, self.weight, self.bias, *self.how)


class Conv2d(_Convolution):
    """Filters slid over an image (torch.nn.Conv2d)."""

    dimensions = 2

    def forward(self, input: Tensor) -> Any:
        return F.conv2d(input, self.weight, self.bias, *self.how)


class MaxPool2d(Module):
    """The greatest of each window (torch.nn.MaxPool2d)."""

    def __init__(self, kernel_size: Sizes, stride: Any = None, padding: Sizes = 0, dilation: Sizes = 1) -> None:
        super().__init__()
        self.how = (kernel_size, stride, padding, dilation)

    def forward(self, input: Tensor) -> Any:
        return F.max_pool2d(input, *self.how)


class Flatten(Module):
    """Several dimensions made one, all but the first by default (torch.nn.Flatten)."""

    def __init__(self, start_dim: int = 1, end_dim: int = -1) -> None:
        super().__init__()
        self.start_dim, self.end_dim = start_dim, end_dim

    def forward(self, input: Tensor) -> Tensor:
        return flatten(input, self.start_dim, self.end_dim)


class LayerNorm(Module):
    """The last dimensions with mean zero and variance one, scaled and moved (torch.nn.LayerNorm)."""

    def __init__(self, normalized_shape: Any, eps: float = 1e-5) -> None:
        super().__init__()
        self.normalized_shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
        self.eps = eps
        self.weight, self.bias = Parameter(ones(self.normalized_shape)), Parameter(zeros(self.normalized_shape))

    def forward(self, input: Tensor) -> Any:
        return F.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)


class _BatchNorm(Module):
    """Each channel with mean zero and variance one over the batch, or by what ran along while training."""

    dimensions: tuple[int, ...]

    def __init__(self, num_features: int, eps: float = 1e-5, momentum: float = 0.1) -> None:
        super().__init__()
        self.eps, self.momentum = eps, momentum
        self.weight, self.bias = Parameter(ones(num_features)), Parameter(zeros(num_features))
        self.register_buffer("running_mean", zeros(num_features))
        self.register_buffer("running_var", ones(num_features))
        self.register_buffer("num_batches_tracked", tensor(0))

    def forward(self, input: Tensor) -> Any:
        if input.ndim not in self.dimensions:
            raise ValueError(
                f"expected {' or '.join(f'{n}D' for n in self.dimensions)} input (got {input.ndim}D input)"
            )
        if self.training:
            self.num_batches_tracked.add_(1)
        return F.batch_norm(
            input, self.running_mean, self.running_var, self.weight, self.bias, self.training, self.momentum, self.eps
        )


class BatchNorm1d(_BatchNorm):
    """Batch normalisation of channels, or of channels along one dimension (torch.nn.BatchNorm1d)."""

    dimensions = (2, 3)


class BatchNorm2d(_BatchNorm):
    """Batch normalisation of images (torch.nn.BatchNorm2d)."""

    dimensions = (4,)
