"""Products of vectors, matrices and tensors, in HIPS autograd."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.protocol import Spelling, same

PRODUCTS: Mapping[str, Spelling] = {
    **same("autograd.numpy", "vecdot matvec vecmat"),
    "vecdot_broadcast": "autograd.numpy.vecdot",
    "cross": lambda autograd, x, y, axis=-1: autograd.numpy.cross(x, y, axis=axis),
    "cross_broadcast": "autograd.numpy.cross",
    "tensordot": lambda autograd, x, y, axes=2: autograd.numpy.tensordot(x, y, axes),
    "einsum": lambda autograd, x, y, subscripts: autograd.numpy.einsum(subscripts, x, y),
    "einsum_of_diagonals": lambda autograd, x, y, subscripts: autograd.numpy.einsum(subscripts, x, y),
    "einsum_diagonal": lambda autograd, x, subscripts: autograd.numpy.einsum(subscripts, x),
    "einsum_of_one": lambda autograd, x, subscripts: autograd.numpy.einsum(subscripts, x),
    "einsum_of_three": lambda autograd, x, y, z, subscripts: autograd.numpy.einsum(subscripts, x, y, z),
    "einsum_broadcast": lambda autograd, x, y: autograd.numpy.einsum("ij,ij->j", x, y),
    "convolve": lambda autograd, x, y, mode="full": autograd.scipy.signal.convolve(x, y, mode=mode),
    "convolve_shorter": lambda autograd, x, y, mode="full": autograd.scipy.signal.convolve(x, y, mode=mode),
}
