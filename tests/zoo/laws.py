"""Adapters of the reference engine that break one law each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from typing import Any, ClassVar

import numpy

import reference_engine
from adapters.spellings.of_torch import SPELLINGS
from adapters.with_reference import ReferenceAdapter
from conformance.protocol import Absence, Namespace, Spelling
from conformance.protocol.types import Argnums, Program


class ForgetsWhatItWrote(ReferenceAdapter):
    """In-place forms write numbers, and no history."""

    name: ClassVar[str] = "forgetful"

    def operate_(self, x: Any, operation: str, *args: Any, **options: Any) -> Any:
        twin = x.detach().clone()
        super().operate_(twin, operation, *args, **options)
        # The numbers arrive by a write that has no history.
        return x.copy_(twin.detach())


class WritesIntoACopy(ReferenceAdapter):
    """In-place forms leave the base of a view as it was."""

    name: ClassVar[str] = "copying"

    def operate_(self, x: Any, operation: str, *args: Any, **options: Any) -> Any:
        # The clone has the history of `x`, and another memory: the result is right, and a base is not written.
        return super().operate_(x.clone(), operation, *args, **options)


class ForgetsAnAlias(ReferenceAdapter):
    """An argument that is the array itself is a constant."""

    name: ClassVar[str] = "alias"

    def operate_(self, x: Any, operation: str, *args: Any, **options: Any) -> Any:
        others = [arg.detach().clone() if arg is x else arg for arg in args]
        return super().operate_(x, operation, *others, **options)


class WritesOutUnrecorded(ReferenceAdapter):
    """A function with `out` raises no error."""

    name: ClassVar[str] = "unrecorded"

    def operate_out_(self, out: Any, operation: str, *args: Any, **options: Any) -> Any:
        with self.torch.no_grad():
            return super().operate_out_(out, operation, *args, **options)


def _wrong_where(operation: str, unlucky: Callable[[Any], bool]) -> Spelling:
    """The operation, with a derivative three times too large by arrays of that kind."""

    def spelt(torch: Any, x: Any, *args: Any) -> Any:
        y = getattr(torch, operation)(x, *args)
        # The value is y, so that no comparison of values can notice: only the derivative is wrong.
        return 3 * y - 2 * y.detach() if unlucky(x.array) else y

    return spelt


def _with(**spellings: Spelling) -> type[ReferenceAdapter]:
    """The reference engine with other spellings."""
    np = Namespace(reference_engine, {**SPELLINGS, **spellings})
    return type("Misspelt", (ReferenceAdapter,), {"name": "misspelt", "np": np})


WRONG_IN_FLOAT16 = _with(exp=_wrong_where("exp", lambda x: x.dtype == "float16"))
# Strides that grow from the first axis to the last are those of a transposed matrix.
WRONG_IF_TRANSPOSED = _with(matmul=_wrong_where("matmul", lambda x: x.strides[0] < x.strides[-1]))
# A view has a base, and the law's array begins later within it.
WRONG_IF_IT_BEGINS_LATER = _with(exp=_wrong_where("exp", lambda x: x.base is not None))
# Along an expanded axis every element is the same, at stride 0.
WRONG_IF_EXPANDED = _with(exp=_wrong_where("exp", lambda x: 0 in x.strides))
WRONG_WITHOUT_AXES = _with(exp=_wrong_where("exp", lambda x: x.ndim == 0))
WRONG_IF_FLIPPED = _with(flip=lambda torch, x, axis: x + (torch.flip(x, axis) - x).detach())


def _is_far(x: Any) -> bool:
    """Whether a number is so large that its cube overflows."""
    return bool((abs(x) > x.dtype.type(2) ** (numpy.finfo(x.dtype).maxexp // 3)).any())


WRONG_IF_FAR = _with(hypot=_wrong_where("hypot", _is_far))


WRONG_AT_ITS_END = _with(exp=_wrong_where("exp", lambda x: (x > 701).any()))


class LosesSmallCotangents(ReferenceAdapter):
    """A pullback whose intermediate results are small."""

    name: ClassVar[str] = "losing"

    def vjp(self, program: Program, *xs: Any) -> Any:
        output, pullback = super().vjp(program, *xs)

        def losing(cotangent: Any) -> Any:
            small = 2.0 ** (numpy.finfo(cotangent.array.dtype).minexp // 2)
            return tuple(x * small * small / small / small for x in pullback(cotangent))

        return output, losing


def _refusing_empty(torch: Any, x: Any) -> Any:
    if not x.array.size:
        raise RuntimeError("exp of an empty tensor")
    return torch.exp(x)


REFUSES_EMPTY = _with(exp=_refusing_empty)


def _refusing_empty_tangents(torch: Any, x: Any) -> Any:
    if not x.array.size and torch.autograd.forward_ad.unpack_dual(x).tangent is not None:
        raise RuntimeError("exp of an empty dual tensor")
    return torch.exp(x)


REFUSES_EMPTY_TANGENTS = _with(exp=_refusing_empty_tangents)
WRONG_BESIDE_NAN = _with(exp=_wrong_where("exp", lambda x: numpy.isnan(x).any()))
WRONG_BESIDE_INFINITY = _with(exp=_wrong_where("exp", lambda x: numpy.isposinf(x).any()))
WRONG_OF_LENGTH_33 = _with(exp=_wrong_where("exp", lambda x: x.shape == (33,)))


class GrowsAGradient(ReferenceAdapter):
    """Each gradient is larger than the one before, as if it were added to what is there."""

    name: ClassVar[str] = "growing"
    calls: ClassVar[Iterator[int]] = count(1)

    def grad(self, program: Program, argnums: Argnums = 0) -> Program:
        gradient = super().grad(program, argnums)
        return lambda *xs: tuple(x * next(self.calls) for x in gradient(*xs))


class GrowsAPass(ReferenceAdapter):
    """The same of a pass over a graph."""

    name: ClassVar[str] = "growing pass"
    calls: ClassVar[Iterator[int]] = count(1)

    def grad_of(self, *args: Any, **options: Any) -> Any:
        return tuple(x * next(self.calls) for x in super().grad_of(*args, **options))


class WritesIntoACotangent(ReferenceAdapter):
    """A pullback scales the cotangent in place, as the Function of pytorch#81417 does."""

    name: ClassVar[str] = "scribbling"

    def vjp(self, program: Program, *primals: Any) -> Any:
        output, pullback = super().vjp(program, *primals)

        def scribbling(cotangent: Any) -> Any:
            results = pullback(cotangent)
            self.to_numpy(cotangent)[...] *= 2
            return results

        return output, scribbling


class WritesIntoATangent(ReferenceAdapter):
    """A JVP scales the tangents in place."""

    name: ClassVar[str] = "scribbling forward"

    def jvp(self, program: Program, primals: Any, tangents: Any) -> Any:
        results = super().jvp(program, primals, tangents)
        for tangent in tangents:
            self.to_numpy(tangent)[...] *= 2
        return results


class MixesUpSubsets(ReferenceAdapter):
    """The gradient by the second of two arguments alone is that by the first."""

    name: ClassVar[str] = "mixed up"

    def grad(self, program: Program, argnums: Argnums = 0) -> Program:
        return super().grad(program, (0,) if argnums == (1,) else argnums)


class ForgetsASecondTangent(ReferenceAdapter):
    """Where a tangent of two is zero, the other is lost."""

    name: ClassVar[str] = "half a tangent"

    def jvp(self, program: Program, primals: Any, tangents: Any) -> Any:
        output, tangent = super().jvp(program, primals, tangents)
        lost = any(not self.to_numpy(x).any() for x in tangents)
        return output, tangent * 0.0 if lost else tangent


def _wrong_for_cotangent(operation: str, unlucky: Callable[[Any], bool]) -> Spelling:
    """The operation, with a derivative three times too large for cotangents that lie in memory so."""

    class Watched(reference_engine.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return 1.0 * x

        @staticmethod
        def backward(ctx: Any, cotangent: Any) -> Any:
            return (3.0 if unlucky(cotangent.array) else 1.0) * cotangent

    return lambda torch, *xs: Watched.apply(getattr(torch, operation)(*xs))


WRONG_FOR_AN_EXPANDED_COTANGENT = _with(exp=_wrong_for_cotangent("exp", lambda g: g.ndim > 0 and g.strides[-1] == 0))
WRONG_FOR_A_TRANSPOSED_COTANGENT = _with(
    matmul=_wrong_for_cotangent("matmul", lambda g: g.ndim == 2 and 0 < g.strides[0] < g.strides[1])
)
WRONG_FOR_A_SLICED_COTANGENT = _with(
    exp=_wrong_for_cotangent("exp", lambda g: g.ndim > 0 and g.strides[-1] > g.itemsize)
)


class _Pair(reference_engine.autograd.Function):
    """Twice and three times the input; the factor of the second is wrong where the first has no cotangent."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.set_materialize_grads(False)
        return 2.0 * x, 3.0 * x

    @staticmethod
    def backward(ctx: Any, first: Any, second: Any) -> Any:
        if first is None:
            return 2.0 * second
        return 2.0 * first if second is None else 2.0 * first + 3.0 * second


def _pair(torch: Any, x: Any, *args: Any, **options: Any) -> Any:
    return _Pair.apply(x)


NEEDS_BOTH_OUTPUTS = _with(slogdet=_pair)


def _by_the_others(torch: Any, x: Any) -> Any:
    """abs, whose derivative at zero is the sign of the sum of all numbers."""
    return torch.where(x == 0, x * torch.sign(torch.sum(x.detach())), torch.abs(x))


WITHOUT_A_CONVENTION = _with(abs=_by_the_others)
WRONG_IF_COMPLEX = _with(exp=_wrong_where("exp", lambda x: x.dtype.kind == "c"))


class Holomorphic(ReferenceAdapter):
    """The reference engine with the flag `holomorphic`, as JAX has it."""

    name: ClassVar[str] = "holomorphic"
    absences: ClassVar[tuple[Absence, ...]] = tuple(
        absence for absence in ReferenceAdapter.absences if "grad.holomorphic" not in absence.features
    )

    def grad(self, program: Program, argnums: Argnums = 0, holomorphic: bool = False) -> Program:
        if not holomorphic:
            return super().grad(program, argnums)
        # As in PyTorch, the gradient of the real part is the conjugate of the complex derivative.
        gradient = super().grad(lambda *zs: self.np.real(program(*zs)), argnums)
        return lambda *zs: tuple(self.shown(x) for x in gradient(*zs))

    def shown(self, x: Any) -> Any:
        """Of the gradient of the real part, the complex derivative."""
        return x.conj()


class Conjugated(Holomorphic):
    """The flag changes nothing: what comes is the conjugate."""

    def shown(self, x: Any) -> Any:
        return x
