"""torch.nn.init: filling parameters with their first values, without recording it."""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

import numpy as np

from ..core.modes import no_grad
from ..core.tensor import Tensor
from ..functions.random import default_generator


def uniform_(tensor: Tensor, a: float = 0.0, b: float = 1.0) -> Tensor:
    """Fill with numbers uniform in [a, b), the same as PyTorch's after the same seed (torch.nn.init.uniform_)."""
    kind = tensor.array.dtype.type
    unit = default_generator.uniform(tensor.array.size, kind is np.float64).astype(kind)
    with no_grad():
        return tensor.copy_(Tensor.of((unit * (kind(b) - kind(a)) + kind(a)).reshape(tensor.shape)))


def constant_(tensor: Tensor, val: float) -> Tensor:
    """Fill with a value (torch.nn.init.constant_)."""
    with no_grad():
        return tensor.fill_(val)


def ones_(tensor: Tensor) -> Tensor:
    """Fill with ones (torch.nn.init.ones_)."""
    return constant_(tensor, 1.0)
