"""Adapters of the reference engine that break one law each."""

from __future__ import annotations

from collections.abc import Callable
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
