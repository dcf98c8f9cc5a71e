"""Functions that read the numbers of a tensor, or make new ones, applied to every example of a batch.

Primitives are batched by `batching`. A function that needs the numbers themselves, such as `argmax`, or that
draws new numbers, uses the functions below; without a batch each acts as if it were not there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .. import primitives as o
from ..core.tensor import Tensor
from .active import batches
from .batched import Batched


def map_examples(function: Callable[..., Any], *xs: Any) -> Any:
    """``function(*arrays)``, an array; for every example, and then a batch, if some of the tensors are batches.

    For functions without derivative: the result has no history.
    """
    # The innermost level first: its examples may be batches of outer levels, for which this is called again.
    level = max((x.level for x in xs if isinstance(x, Batched)), default=None)
    if level is None:
        return function(*[x.array if isinstance(x, Tensor) else x for x in xs])
    size = next(x.value.array.shape[0] for x in xs if isinstance(x, Batched) and x.level == level)
    rows = [map_examples(function, *[_example(x, i, level) for x in xs]) for i in range(size)]
    return Batched.wrap(o.stack(*[as_tensor(row) for row in rows], dim=0), level)


def _example(x: Any, i: int, level: int) -> Any:
    return o.slice(x.value, index=(i,)) if isinstance(x, Batched) and x.level == level else x


def as_tensor(numbers: Any) -> Tensor:
    """The result of `map_examples` as a tensor."""
    return numbers if isinstance(numbers, Tensor) else Tensor.of(numbers)


def copy_index(index: Tensor) -> Any:
    """An index or mask as the options of a primitive keep it: a copy, so that changing it later has no effect."""
    return index.copied() if isinstance(index, Batched) else index.array.copy()


def draw_per_example(draw: Callable[[tuple[int, ...]], Tensor], shape: tuple[int, ...]) -> Tensor:
    """Random numbers of a shape; as every `vmap` under way wants it, for all examples, or different ones for each.

    RuntimeError in a `vmap` that allows no draws (``randomness="error"``).
    """
    different = [batch for batch in batches() if batch.randomness != "same"]
    if any(batch.randomness == "error" for batch in different):
        raise RuntimeError(
            "vmap: called random operation while in randomness error mode. Please either use the 'same' or 'different' "
            "randomness flags on vmap or perform the randomness operation out of vmap"
        )
    # One draw with the batches in front, outermost first; then each dimension is closed as a batch.
    result = draw((*[batch.size for batch in different], *shape))
    for batch in different:
        result = Batched.wrap(result, batch.level)
    return result
