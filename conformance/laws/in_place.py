"""Operations that write: by an in-place form into their first argument, or with `out` into another array."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from conformance.expect import raises
from conformance.laws.comparison import Difference, compared
from conformance.laws.compositions import Derivative
from conformance.laws.operation_subject import OperationSubject
from conformance.mismatch import Mismatch
from conformance.operations import Cases, of_order
from conformance.operations.row import Operation
from conformance.operations.samples import generic
from conformance.protocol.types import Array, Program

# Operations with an in-place form. Of these the last line changes shape or strides, and no numbers.
RESHAPING = "expand_dims squeeze swapaxes transpose"
IN_PLACE = (
    "abs acos acosh add add_scaled addbmm addcdiv addcmul addmm addmv addr asin asinh at_add at_set"
    " atan atan2 atanh baddbmm ceil celu clip clip_by_numbers conj_physical copysign cos cosh cumprod cumsum deg2rad"
    " digamma divide elu erf erfc erfinv exp exp2 expm1 fix float_power floor floor_divide fmod frac gammainc"
    " gammaincc gammaln hardsigmoid hardswish hardtanh hypot i0 index_add index_copy index_fill index_put ldexp"
    " leaky_relu lerp lerp_by_number log log10 log1p log2 logit masked_fill masked_scatter mish multigammaln multiply"
    " nan_to_num negative polygamma pow pow_of_exponents pow_of_number rad2deg reciprocal relu relu6 remainder renorm"
    " round round_to rsqrt scatter scatter_add scatter_number selu sgn sigmoid sign silu sin sinc sinh sqrt square"
    " subtract subtract_scaled tan tanh threshold tril triu trunc trunc_divide xlogy"
)
# Operations with the argument `out`, and with a derivative that could be lost.
WITH_OUT = (
    "abs abs_of_complex acos acosh add addbmm addcdiv addcmul addmm addmv addr amax amin angle asin asinh atan atan2"
    " atanh avg_pool2d avg_pool3d baddbmm bmm ceil cholesky cholesky_inverse cholesky_solve clip column_stack complex"
    " concat cond cond_of_norm conj_physical copysign cos cosh cross cumprod cumsum deg2rad det diag diff digamma"
    " divide dot dstack eigh eigvals eigvalsh entr erf erfc erfcx erfinv exp exp2 expit expm1 fft fix float_power"
    " floor fmax fmin fmod frac gammainc gammaincc gammaln gather gelu hardshrink hfft householder_product hstack"
    " hypot i0 i0e i1 i1e ifft ihfft index_add index_copy index_select inner inv irfft kron ldexp lerp lerp_by_number"
    " linear linspace log log10 log1p log2 log_expit log_ndtr log_softmax logaddexp logaddexp2 logcumsumexp logit"
    " logsigmoid logspace mantissa_with_exponent masked_select matmul matrix_norm matrix_norm_of_order matrix_power"
    " max maximum min minimum mm msort multi_dot multigammaln multiply mv nan_to_num ndtr ndtri negative norm"
    " nuclear_norm one_norm ormqr outer pinv polar polygamma pow pow_of_exponents pow_of_number prod_along_axis"
    " quantile_of_levels rad2deg reciprocal remainder renorm rfft round rsqrt scatter scatter_add sgn sigmoid sign sin"
    " sinc sinh softmax softplus softshrink solve sort_with_indices spectral_norm sqrt square stack subtract svdvals"
    " take take_along_axis tan tanh tensorinv tensorsolve topk tril triu trunc vdot vecdot vstack where xlog1py xlogy"
    " zeta"
)

# Part of the documented error for a saved value that was overwritten.
DETECTED = "modified by an inplace operation"

# Of an engine, an in-place form (None: the operation itself) and the operation's arguments: what is differentiated.
Way = Callable[..., Any]


def with_in_place_form(*, reshaping: bool = True, several: bool = False) -> Cases:
    """The operations that have an in-place form; `several`: elementwise ones that may be given an array twice."""
    names = (f"{IN_PLACE} {RESHAPING}" if reshaping else IN_PLACE).split()
    return of_order(1).where(lambda row: row.name in names and (not several or _takes_an_array_twice(row)))


def with_out() -> Cases:
    """The operations that have an argument `out`."""
    names = WITH_OUT.split()
    return of_order(1).where(lambda row: row.name in names)


def _takes_an_array_twice(operation: Operation) -> bool:
    first, *others = operation.arguments
    takes = operation.elementwise and bool(others) and all(argument.contains(first) for argument in others)
    # Options that are given by position, such as a factor, are no arrays.
    return takes and len(operation.required) == len(operation.arguments)


def written(ad: Any, operation: Program, form: Program | None, x: Array, *others: Any, **options: Any) -> Any:
    """The result, by the in-place form written into a copy of the first argument."""
    if form is None:
        return operation(x, *others, **options)
    # A copy, as a leaf that requires grad may not be written in place.
    x = ad.clone(x)
    form(x, *others, **options)
    return x


def aliased(ad: Any, operation: Program, form: Program | None, x: Array, *others: Any, **options: Any) -> Any:
    """The same where all arguments are the array that is written, which nothing else has saved."""
    # The other arguments take part with nothing, so that the program has a derivative by them.
    x = sum((0.0 * other for other in others), 1.0 * x)
    if form is None:
        return operation(x, *[x] * len(others), **options)
    form(x, *[x] * len(others), **options)
    return x


def through_a_view(ad: Any, operation: Program, form: Program | None, x: Array, *others: Any, **options: Any) -> Any:
    """The same, written into a view of a larger array, which is the result."""
    if form is None:
        return ad.np.stack([x, operation(x, *others, **options)])
    x = ad.np.stack([x, x])
    form(x[1], *others, **options)
    return x


def agrees_in_place(subject: OperationSubject, way: Way, derivative: Derivative) -> Difference | None:
    """Whether a derivative of the in-place form along a direction is that of the operation."""
    got, expected = (
        subject.number(derivative(at, at.scalar, 0)(*at.primals))
        for at in (_by(subject, way, in_place) for in_place in (True, False))
    )
    return compared(got, expected, "derivative of the in-place form along a direction")


def agrees_or_is_detected(subject: OperationSubject, way: Way, derivative: Derivative) -> Difference | None:
    """The same, or the engine raises the documented error: a value that the derivative needs was overwritten."""
    try:
        return agrees_in_place(subject, way, derivative)
    except Exception as error:
        if DETECTED not in str(error):
            raise
        return None


def _by(subject: OperationSubject, way: Way, in_place: bool) -> OperationSubject:
    """The subject with what `way` makes of the operation in its place."""
    ad, name = subject.ad, subject.operation.name
    form = partial(_form, ad, name) if in_place else None
    replacing = _replacing(ad, name, partial(way, ad, getattr(ad.np, name), form))
    return OperationSubject(replacing, subject.sample, subject.dtype)


def _form(ad: Any, name: str, x: Array, *others: Any, **options: Any) -> None:
    ad.operate_(x, name, *others, **options)


def _replacing(ad: Any, name: str, function: Program) -> Any:
    """The engine with another function in the place of an operation."""
    # Neither computed with the operation's own quantities, nor compiled as the operation is.
    return _Replacing(ad, joint_now=None, compiles_operations=False, np=_Replacing(ad.np, **{name: function}))


class _Replacing:
    """An object with other attributes in the place of some."""

    def __init__(self, replaced: Any, **attributes: Any) -> None:
        self._replaced = replaced
        self.__dict__.update(attributes)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._replaced, name)


def raises_an_error_with_out(ad: Any, operation: Operation) -> None:
    """Raise Mismatch where a call with `out` raises no error, although an argument requires grad."""
    for variant in range(len(operation.options)):
        sample = generic(operation, variant)
        for position, value in enumerate(sample.differentiated):
            subject = OperationSubject(ad, sample)
            out = _like(ad, subject.call(*subject.primals))
            writing = OperationSubject(
                _replacing(ad, operation.name, partial(ad.operate_out_, out, operation.name)), sample
            )
            # A single argument requires grad at a time: an engine may look at the first alone.
            arguments = list(subject.primals)
            arguments[position] = ad.leaf(value.tolist())
            try:
                raises(partial(writing.call, *arguments))
            except Mismatch as error:
                where = f"with argument {position} that requires grad and {dict(sample.options)}"
                raise Mismatch(f"{error}, {where}", error.witness) from None


def _like(ad: Any, results: Any) -> Any:
    """Arrays like the results of an operation."""
    if isinstance(results, Sequence):
        return tuple(_like(ad, result) for result in results)
    return ad.clone(results)
