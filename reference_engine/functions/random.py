"""Random tensors: the Mersenne twister, consumed as PyTorch's CPU generator consumes it.

After the same `manual_seed`, `rand` and `randn` give PyTorch's numbers, so that a printed example can be followed.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .. import primitives as o
from ..batching.per_example import draw_per_example
from ..core import dtypes
from ..core.aliases import Shape
from ..core.tensor import Tensor
from .call_forms import sizes
from .creation import Dtype, finish


class Generator:
    """A source of random bits (torch.Generator)."""

    def __init__(self) -> None:
        self.manual_seed(0)

    def manual_seed(self, seed: int) -> Generator:
        """Start the sequence that belongs to a seed."""
        self._bits = np.random.RandomState(seed % 2**32)
        self._spare: float | None = None
        return self

    def get_state(self) -> Any:
        """The generator's state, from which `set_state` continues."""
        return self._bits.get_state(), self._spare

    def set_state(self, state: Any) -> None:
        """Continue from where `get_state` was called."""
        self._bits.set_state(state[0])
        self._spare = state[1]

    def words(self, count: int) -> Any:
        """That many random words of 32 bits."""
        return self._bits.randint(0, 2**32, size=count, dtype=np.uint32)

    def uniform(self, count: int, double: bool) -> Any:
        """Numbers in [0, 1): of 24 random bits in single precision, of 53 in double."""
        # The bits that PyTorch's generator uses, so that seeds give the same numbers.
        if not double:
            return ((self.words(count) & 0xFFFFFF) / 2.0**24).astype(np.float32)
        high, low = self.words(2 * count).astype(np.uint64).reshape(count, 2).T
        return ((high << np.uint64(32) | low) & np.uint64(2**53 - 1)) / 2.0**53

    def normal(self) -> float:
        """One normally distributed number by Box and Muller's method, which makes them in pairs."""
        if self._spare is not None:
            spare, self._spare = self._spare, None
            return spare
        angle, length = self.uniform(2, double=True)
        # log1p of -length, because length may be 0 and is never 1.
        radius = np.sqrt(-2 * np.log1p(-length))
        # The second number of the pair is kept for the next call, as PyTorch does.
        self._spare = float(radius * np.sin(2 * np.pi * angle))
        return float(radius * np.cos(2 * np.pi * angle))


default_generator = Generator()


def manual_seed(seed: int) -> Generator:
    """Start the default generator's sequence that belongs to a seed (torch.manual_seed)."""
    return default_generator.manual_seed(seed)


def rand(*size: Any, dtype: Dtype = None, device: object = None, requires_grad: bool = False) -> Tensor:
    """Numbers uniform in [0, 1) (torch.rand)."""
    target = dtype or dtypes.get_default_dtype()

    def draw(shape: Shape) -> Tensor:
        values = default_generator.uniform(math.prod(shape), target is dtypes.float64)
        return finish(values.reshape(shape), target, requires_grad)

    return draw_per_example(draw, sizes(size))


def randn(*size: Any, dtype: Dtype = None, device: object = None, requires_grad: bool = False) -> Tensor:
    """Numbers of the standard normal distribution, PyTorch's if fewer than sixteen; complex numbers have variance 1."""
    target = dtype or dtypes.get_default_dtype()

    # By `draw_per_example`, which knows what a `vmap` wants of random numbers.
    def draw(shape: Shape) -> Tensor:
        parts = np.array([default_generator.normal() for _ in range(math.prod(shape) * (1 + target.is_complex))])
        values = parts.view(np.complex128) / math.sqrt(2) if target.is_complex else parts
        return finish(values.reshape(shape), target, requires_grad)

    return draw_per_example(draw, sizes(size))


def rand_like(input: Tensor, *, dtype: Dtype = None, requires_grad: bool = False) -> Tensor:
    """Uniform numbers in another tensor's shape and dtype (torch.rand_like)."""
    return rand(tuple(input.shape), dtype=dtype or input.dtype, requires_grad=requires_grad)


def randn_like(input: Tensor, *, dtype: Dtype = None, requires_grad: bool = False) -> Tensor:
    """Normal numbers in another tensor's shape and dtype (torch.randn_like)."""
    return randn(tuple(input.shape), dtype=dtype or input.dtype, requires_grad=requires_grad)


def bernoulli(input: Tensor) -> Tensor:
    """Ones with the probabilities given, and zeros (torch.bernoulli); a constant."""
    return o.where(o.lt(rand_like(input), input), 1.0, 0.0)


def normal(mean: Tensor, std: float) -> Tensor:
    """Normal numbers of that mean and deviation (torch.normal); a constant."""
    return o.add(mean.detach(), o.mul(randn_like(mean), std))


def get_rng_state() -> Any:
    """Where the default generator is in its sequence (torch.get_rng_state)."""
    return default_generator.get_state()


def set_rng_state(state: Any) -> None:
    """Continue the default generator from a state (torch.set_rng_state)."""
    default_generator.set_state(state)
