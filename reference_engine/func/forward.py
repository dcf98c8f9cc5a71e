"""Forward transforms: jvp (torch.func). Each differentiation opens a level (`core.levels`)."""

from __future__ import annotations

from typing import Any

from .. import primitives as o
from ..autograd.forward_ad import laid_out_as
from ..core import levels
from ..core.forward import push_forward
from ..core.modes import transforming
from ..core.tensor import Tensor
from ..functions.creation import zeros_like
from ..utils.pytree import flatten, map_leaves
from .arguments import Function, check_structure, split_aux, tensors_of

_JVP = "jvp(f, primals, tangents)"


def jvp(func: Function, primals: tuple[Any, ...], tangents: tuple[Any, ...], *, has_aux: bool = False) -> Any:
    """The output of ``func(*primals)``, and its tangent in the direction of the tangents (torch.func.jvp).

    With `has_aux` the function returns a pair, and its second part is returned last. RuntimeError unless both are
    tuples that correspond and the output consists of tensors.
    """
    xs, ts, rebuild = _checked(primals, tangents)
    level = levels.enter(push_forward)
    try:
        with transforming():
            result = func(*rebuild([_dual(x, t, level) for x, t in zip(xs, ts, strict=True)]))
        output, aux = split_aux(result, has_aux, _JVP)
        tensors_of(output, _JVP)
        primal = map_leaves(lambda v: levels.primal(v, level), output)
        tangent = map_leaves(lambda v: _tangent(v, level), output)
        extra = map_leaves(lambda v: levels.primal(v, level), aux)
    finally:
        levels.leave(level)
    return (primal, tangent, extra) if has_aux else (primal, tangent)


def _checked(primals: Any, tangents: Any) -> tuple[list[Tensor], list[Tensor], Any]:
    """The leaves of primals and tangents, which must correspond."""
    for name, value in (("primals", primals), ("tangents", tangents)):
        if not isinstance(value, tuple):
            raise RuntimeError(f"{_JVP}: Expected {name} to be a tuple. E.g. it should be valid to call f(*primals).")
    check_structure(_JVP, tangents, primals, "primals and tangents")
    xs, rebuild = flatten(primals)
    ts, _ = flatten(tangents)
    if not xs:
        raise RuntimeError(f"{_JVP}: Expected primals to contain at least one Tensor.")
    for x, t in zip(xs, ts, strict=True):
        if not isinstance(x, Tensor) or not isinstance(t, Tensor):
            raise ValueError(f"Thing passed to transform API must be Tensor, got {type(x)} and {type(t)}")
        if not x.dtype.differentiable:
            raise ValueError(f"Expected primal to be floating point or complex, but got: {x.dtype}")
        if x.shape != t.shape:
            raise RuntimeError(
                "Trying to set a forward gradient that has a different size than that of the original Tensor, this "
                f"is not supported. Tensor is of size {list(x.shape)} while the tangent is of size {list(t.shape)}."
            )
    return xs, ts, rebuild


def _dual(x: Tensor, t: Tensor, level: int) -> Tensor:
    dual: Tensor = o.alias(x)
    levels.attach(dual, level, laid_out_as(x, t))
    return dual


def _tangent(value: Tensor, level: int) -> Tensor:
    t = levels.tangent(value, level)
    return zeros_like(value) if t is None else t
