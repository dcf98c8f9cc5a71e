"""Forward transforms: jvp and linearize (torch.func). Each differentiation has a level of its own (`core.levels`)."""

from __future__ import annotations

from typing import Any

from .. import primitives as o
from ..core import levels
from ..core.tensor import Tensor
from ..functions.creation import zeros_like
from ..utils.pytree import flatten, map_leaves
from .arguments import Function, split_aux


def jvp(func: Function, primals: tuple[Any, ...], tangents: tuple[Any, ...], *, has_aux: bool = False) -> Any:
    """The output of ``func(*primals)``, and its tangent in the direction of the tangents (torch.func.jvp).

    TypeError unless both are tuples, RuntimeError unless they correspond.
    """
    if not isinstance(primals, tuple) or not isinstance(tangents, tuple):
        raise TypeError("jvp(func, primals, tangents): primals and tangents must be tuples of the function's arguments")
    xs, rebuild = flatten(primals)
    ts, _ = flatten(tangents)
    if [tuple(x.shape) for x in xs] != [tuple(t.shape) for t in ts]:
        raise RuntimeError("jvp: primals and tangents must have the same structure and shapes")
    level = levels.enter()
    try:
        output, aux = split_aux(func(*rebuild([_dual(x, t, level) for x, t in zip(xs, ts, strict=True)])), has_aux)
        primal = map_leaves(lambda v: levels.primal(v, level), output)
        tangent = map_leaves(lambda v: _tangent(v, level), output)
        extra = map_leaves(lambda v: levels.primal(v, level), aux)
    finally:
        levels.leave(level)
    return (primal, tangent, extra) if has_aux else (primal, tangent)


def _dual(x: Tensor, t: Tensor, level: int) -> Tensor:
    dual: Tensor = o.alias(x)
    levels.attach(dual, level, t)
    return dual


def _tangent(value: Tensor, level: int) -> Tensor:
    t = levels.tangent(value, level)
    return zeros_like(value) if t is None else t


def linearize(func: Function, *primals: Any) -> tuple[Any, Function]:
    """The output of ``func(*primals)``, and its derivative there, a function of tangents (torch.func.linearize).

    The function is run again for each tangent.
    """
    return func(*primals), lambda *tangents: jvp(func, primals, tangents)[1]
