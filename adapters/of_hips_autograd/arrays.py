"""Making, reading and copying arrays, which are NumPy's own until a program of them is traced."""

from __future__ import annotations

from typing import Any, ClassVar

import autograd
import autograd.misc.fixed_points
import autograd.numpy as anp
import autograd.numpy.random as npr
import autograd.scipy.linalg
import autograd.scipy.signal
import autograd.scipy.special
import numpy
from autograd.extend import notrace_primitive

from adapters.python import PythonVerbs
from adapters.spellings.of_hips_autograd import SPELLINGS
from conformance.protocol import Namespace
from conformance.protocol.types import Array, DType, Numbers, Shape


class HipsArrayVerbs(PythonVerbs):
    """The groups Arrays, Detaching, Interchange and Draws of the protocol, and what NumPy does in place."""

    np: ClassVar[Namespace] = Namespace(autograd, SPELLINGS)

    def array(self, value: Numbers, dtype: DType | None = None) -> Array:
        return anp.array(value, dtype=dtype)

    def dtype_of(self, x: Array) -> str:
        return str(x.dtype)

    def detach(self, x: Array) -> Array:
        """Idiom: a function that is not to be traced is given the value alone."""
        return notrace_primitive(lambda x: x)(x)

    def clone(self, x: Array) -> Array:
        return anp.array(x)

    def cast(self, x: Array, dtype: DType) -> Array:
        return x.astype(dtype)

    def as_array(self, value: Numbers, dtype: DType | None = None) -> Array:
        return anp.asarray(value, dtype=dtype)

    def number_of(self, x: Array) -> Any:
        return float(x)

    def list_of(self, x: Array) -> Any:
        return numpy.ndarray.tolist(x)  # a box has no such method: NumPy's raises TypeError for it

    def numpy_of(self, x: Array) -> Any:
        return numpy.asarray(x)

    def dlpack_of(self, x: Array) -> Any:
        return numpy.ndarray.__dlpack__(x)

    def seed_(self, seed: int) -> None:
        npr.seed(seed)

    def draw(self, shape: Shape) -> Array:
        return npr.random_sample(shape)
