"""Functions on arrays, under array-API names; a function that is itself the subject keeps its documented name."""

from __future__ import annotations

from typing import Any, Protocol

from conformance.protocol.losses import Losses
from conformance.protocol.mathematics import Distances, Likenesses, Networks, Ordering, Pointwise
from conformance.protocol.matrices import Matrices

__all__ = ["Functions"]

Array = Any


class Functions(Pointwise, Ordering, Distances, Networks, Likenesses, Losses, Matrices, Protocol):
    """The namespace `ad.np`."""

    def exp(self, x: Array) -> Array:
        """e to the power of each element."""

    def log(self, x: Array) -> Array:
        """The natural logarithm of each element."""

    def sqrt(self, x: Array) -> Array:
        """The square root of each element."""

    def softplus(self, x: Array) -> Array:
        """log(1 + exp(x)) of each element."""

    def sum(self, x: Array) -> Array:
        """The sum of all elements."""

    def mean(self, x: Array) -> Array:
        """The mean of all elements."""

    def abs(self, x: Array) -> Array:
        """The absolute value of each element."""

    def real(self, x: Array) -> Array:
        """The real part of each element."""

    def matmul(self, x: Array, y: Array) -> Array:
        """The matrix product."""

    def stack(self, arrays: Any) -> Array:
        """The arrays side by side along a new first axis."""

    def unstack(self, x: Array) -> tuple[Array, ...]:
        """The arrays along the first axis, side by side in a tuple."""

    def concat(self, arrays: Any) -> Array:
        """The arrays one after the other along the first axis."""

    def reshape(self, x: Array, shape: tuple[int, ...]) -> Array:
        """The same elements under another shape."""

    def zeros(self, shape: tuple[int, ...]) -> Array:
        """An array of zeros, float64, outside any graph."""

    def eye(self, n: int) -> Array:
        """The identity matrix, float64."""

    def sin(self, x: Array) -> Array:
        """The sine of each element."""

    def cos(self, x: Array) -> Array:
        """The cosine of each element."""

    def tan(self, x: Array) -> Array:
        """The tangent of each element."""

    def tanh(self, x: Array) -> Array:
        """The hyperbolic tangent of each element."""

    def square(self, x: Array) -> Array:
        """The square of each element."""

    def expm1(self, x: Array) -> Array:
        """exp(x) - 1 of each element."""

    def log1p(self, x: Array) -> Array:
        """log(1 + x) of each element."""

    def sign(self, x: Array) -> Array:
        """The sign of each element; of a complex one, the number of absolute value 1 in its direction."""

    def floor(self, x: Array) -> Array:
        """The next integer below each element."""

    def ceil(self, x: Array) -> Array:
        """The next integer above each element."""

    def round(self, x: Array) -> Array:
        """The nearest integer of each element."""

    def trunc(self, x: Array) -> Array:
        """Each element without its fraction."""

    def reciprocal(self, x: Array) -> Array:
        """One divided by each element."""

    def rsqrt(self, x: Array) -> Array:
        """One divided by the square root of each element."""

    def sinc(self, x: Array) -> Array:
        """sin(pi x) / (pi x) of each element, 1 at zero."""

    def isnan(self, x: Array) -> Array:
        """Whether each element is not a number."""

    def conj(self, x: Array) -> Array:
        """The complex conjugate of each element."""

    def imag(self, x: Array) -> Array:
        """The imaginary part of each element."""

    def angle(self, x: Array) -> Array:
        """The angle of each element in the complex plane."""

    def relu(self, x: Array) -> Array:
        """The larger of each element and zero."""

    def sigmoid(self, x: Array) -> Array:
        """The logistic function of each element."""

    def maximum(self, x: Array, y: Array) -> Array:
        """The larger element of each pair."""

    def minimum(self, x: Array, y: Array) -> Array:
        """The smaller element of each pair."""

    def copysign(self, x: Array, y: Array) -> Array:
        """The absolute value of `x` with the sign of `y`."""

    def hypot(self, x: Array, y: Array) -> Array:
        """The length of the vector (x, y), pair by pair."""

    def logaddexp(self, x: Array, y: Array) -> Array:
        """log(exp(x) + exp(y)), pair by pair."""

    def outer(self, x: Array, y: Array) -> Array:
        """The product of each element of a vector with each of another."""

    def atan2(self, x: Array, y: Array) -> Array:
        """The angle of the point (y, x), pair by pair."""

    def pow(self, x: Array, y: Array | float) -> Array:
        """`x` to the power `y`."""

    def where(self, condition: Array, x: Array, y: Array) -> Array:
        """`x` where the condition holds, `y` elsewhere."""

    def clip(self, x: Array, lowest: Array | float | None, highest: Array | float | None) -> Array:
        """Each element, or the bound that it passes."""

    def prod(self, x: Array) -> Array:
        """The product of all elements."""

    def max(self, x: Array) -> Array:
        """The largest of all elements."""

    def min(self, x: Array) -> Array:
        """The smallest of all elements."""

    def std(self, x: Array) -> Array:
        """The standard deviation of all elements, with n - 1."""

    def amax(self, x: Array, axis: int) -> Array:
        """The largest elements along an axis."""

    def amin(self, x: Array, axis: int) -> Array:
        """The smallest elements along an axis."""

    def argmax(self, x: Array) -> Array:
        """The index of the largest element."""

    def sort(self, x: Array) -> Array:
        """The elements in order."""

    def argsort(self, x: Array) -> Array:
        """The indices that sort."""

    def cumsum(self, x: Array) -> Array:
        """The sums of the first elements of a vector."""

    def cumprod(self, x: Array) -> Array:
        """The products of the first elements of a vector."""

    def logsumexp(self, x: Array) -> Array:
        """log(sum(exp(x))) of a vector."""

    def softmax(self, x: Array) -> Array:
        """exp(x) / sum(exp(x)) of a vector."""

    def log_softmax(self, x: Array) -> Array:
        """The logarithm of that."""

    def transpose(self, x: Array) -> Array:
        """A matrix with rows and columns exchanged."""

    def broadcast_to(self, x: Array, shape: tuple[int, ...]) -> Array:
        """The elements repeated to a shape."""

    def zeros_like(self, x: Array) -> Array:
        """Zeros of the shape and dtype of `x`."""

    def ones_like(self, x: Array) -> Array:
        """Ones of the shape and dtype of `x`."""

    def det(self, x: Array) -> Array:
        """The determinant of a matrix."""

    def norm(self, x: Array, order: float) -> Array:
        """The p-norm of a vector."""

    def eigvalsh(self, x: Array) -> Array:
        """The eigenvalues of a symmetric matrix."""
