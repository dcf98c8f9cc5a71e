"""Sorting, ranking and searching, in HIPS autograd."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.protocol import Spelling

ORDERING: Mapping[str, Spelling] = {
    "nonzero": lambda autograd, x: autograd.numpy.nonzero(x)[0],
    "sort_along_axis": "autograd.numpy.sort",
}
