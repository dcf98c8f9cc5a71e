"""Parameter: a tensor that is a leaf to be trained."""

from __future__ import annotations

import numpy as np

from ..core.tensor import Tensor
from ..functions.creation import finish
from ..functions.display import represent


class Parameter(Tensor):
    """A leaf that shares the given tensor's memory and requires grad unless switched off (torch.nn.Parameter).

    RuntimeError for integer tensors that should require grad.
    """

    def __init__(self, data: Tensor | None = None, requires_grad: bool = True) -> None:
        array = np.zeros(0, np.float32) if data is None else data.array
        self.__dict__.update(finish(array, None, requires_grad).__dict__)

    def __repr__(self) -> str:
        return "Parameter containing:\n" + represent(self)
