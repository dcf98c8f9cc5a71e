"""Naming: what an adapter is asked for that is no array."""

from conformance.behaviour import MUST, behaviour, torch
from conformance.expect import close, equal


@behaviour(MUST, torch("torch.Tensor.backward"))
def arrays_name_their_dtype(ad):
    """An array says which dtype it has."""
    equal(ad.dtype_of(ad.array([1.0])), "float64")


@behaviour(MUST, torch("torch.Tensor.backward"))
def arrays_keep_their_numbers(ad):
    """An array has the numbers that it was made of."""
    close(ad.array([1.0, 2.0]), [1.0, 2.0])
