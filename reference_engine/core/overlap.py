"""Memory that is named twice: elements of one tensor that are the same, as after `expand`.

Writing to them would depend on the order in which elements are written, so it raises an error. That another operand
shares memory with what is written does no harm: the result is complete before the first element is written.
"""

from __future__ import annotations

from .aliases import Array

# Every element becomes the same, in any order.
_IN_ANY_ORDER = {"fill", "zero"}


def check_writable(array: Array, name: str) -> None:
    """RuntimeError if several elements of an array that is to be written share one place, as after `expand`."""
    if name not in _IN_ANY_ORDER and array.size and repeats(array):
        raise RuntimeError(
            "unsupported operation: more than one element of the written-to tensor refers to a single memory "
            "location (it was expanded). clone() it before writing."
        )


def repeats(array: Array) -> bool:
    """Whether elements are repeated along some dimension without being copied."""
    return any(step == 0 and n > 1 for step, n in zip(array.strides, array.shape, strict=True))


def meets_itself(array: Array) -> bool:
    """Whether some place in memory may be named twice, as it never may after slices and transposes."""
    extent = array.itemsize
    for step, n in sorted(zip(array.strides, array.shape, strict=True)):
        if n > 1:
            if step < extent:
                return True
            extent += step * (n - 1)
    return False
