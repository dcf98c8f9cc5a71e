"""Checking derivatives against differences (torch.autograd.gradcheck, gradgradcheck; notes/gradcheck).

Every input that requires grad is perturbed element by element, and the resulting Jacobian compared with the one that
backward (and, if asked, forward mode) gives. Complex inputs are perturbed along both axes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .. import primitives as o
from ..core import warn
from ..core.modes import enable_grad, no_grad
from ..core.tensor import Tensor
from ..functions.random import randn_like
from . import forward_ad
from .gradients import grad


class GradcheckError(RuntimeError):
    """The derivative that was computed is not the one that differences show."""


def gradcheck(
    func: Callable[..., Any],
    inputs: Any,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    raise_exception: bool = True,
    check_forward_ad: bool = False,
    check_backward_ad: bool = True,
    **others: Any,
) -> bool:
    """Whether the gradients of `func` agree with central differences (torch.autograd.gradcheck).

    GradcheckError if they do not, or False with ``raise_exception=False``; ValueError if no input requires grad.
    """
    try:
        args = inputs if isinstance(inputs, (tuple, list)) else (inputs,)
        _check_inputs(args)
        for i, x in enumerate(args):
            if isinstance(x, Tensor) and x.requires_grad:
                _check_input(func, args, i, eps, atol, rtol, check_backward_ad, check_forward_ad)
    except GradcheckError:
        if raise_exception:
            raise
        return False
    return True


def _check_inputs(args: Sequence[Any]) -> None:
    wanted = [x for x in args if isinstance(x, Tensor) and x.requires_grad]
    if not wanted:
        raise ValueError(
            "gradcheck expects at least one input tensor to require gradient: call requires_grad_() on what to check"
        )
    for x in wanted:
        if x.array.dtype not in (np.float64, np.complex128):
            warn.user(f"an input of {x.dtype} is not of double precision floating point: differences will be too rough")


def _outputs(func: Callable[..., Any], args: Sequence[Any]) -> list[Tensor]:
    result = func(*args)
    results = result if isinstance(result, (tuple, list)) else (result,)
    return [r for r in results if isinstance(r, Tensor) and r.dtype.differentiable]


def _check_input(
    func: Any, args: Any, index: int, eps: float, atol: float, rtol: float, backward: bool, forward: bool
) -> None:
    numeric = _numeric(func, args, index, eps)
    ways = [("", _by_backward)] * backward + [(" in forward mode", _by_forward)] * forward
    for what, way in ways:
        for number, (expected, got) in enumerate(zip(numeric, way(func, args, index), strict=False)):
            if not np.allclose(got, expected, rtol, atol):
                raise GradcheckError(
                    f"Jacobian mismatch for output {number} with respect to input {index}{what},\n"
                    f"numerical:{expected}\nanalytical:{got}\n"
                )


def _directions(x: Tensor) -> list[Any]:
    """One direction per element, and the imaginary one for complex elements."""
    units = np.eye(x.array.size, dtype=x.array.dtype).reshape(-1, *x.array.shape)
    return [*units, *(1j * units if x.dtype.is_complex else ())]


def _numeric(func: Any, args: Any, index: int, eps: float) -> list[Any]:
    """For each output, the derivatives along every direction of one input, by central differences."""
    x = args[index]
    rows = []
    with no_grad():
        for direction in _directions(x):
            up, down = (
                _outputs(func, [*args[:index], _moved(x, s * eps * direction), *args[index + 1 :]]) for s in (1, -1)
            )
            rows.append([(u.array - d.array).ravel() / (2 * eps) for u, d in zip(up, down, strict=False)])
    return [np.stack(column) for column in zip(*rows, strict=False)]


def _moved(x: Tensor, by: Any) -> Tensor:
    return Tensor.of(x.array + by)


def _by_backward(func: Any, args: Any, index: int) -> list[Any]:
    """The same table, from one backward pass per direction of each output."""
    x = args[index]
    table = []
    for out in _outputs(func, args):
        if not out.requires_grad:
            table.append(np.zeros((len(_directions(x)), out.array.size), out.array.dtype))
            continue
        pulled = [
            grad(out, x, Tensor.of(d), retain_graph=True, allow_unused=True, materialize_grads=True)[0].array  # type: ignore[union-attr]
            for d in _directions(out)
        ]
        table.append(_transposed(pulled, x, out))
    return table


def _transposed(pulled: list[Any], x: Tensor, out: Tensor) -> Any:
    """Derivatives along directions of x, from cotangents pulled back for directions of the output."""
    along = [np.array([np.real(np.sum(np.conj(d) * p)) for p in pulled]) for d in _directions(x)]
    rows = np.stack(along)
    size = out.array.size
    return rows[:, :size] + 1j * rows[:, size:] if out.dtype.is_complex else rows


def _by_forward(func: Any, args: Any, index: int) -> list[Any]:
    x = args[index]
    rows = []
    for direction in _directions(x):
        with forward_ad.dual_level():
            dual = forward_ad.make_dual(x.detach(), Tensor.of(direction))
            outs = _outputs(func, [*args[:index], dual, *args[index + 1 :]])
            tangents = [(out, forward_ad.unpack_dual(out).tangent) for out in outs]
            rows.append([(np.zeros_like(out.array) if t is None else t.array).ravel() for out, t in tangents])
    return [np.stack(column) for column in zip(*rows, strict=False)]


def gradgradcheck(func: Callable[..., Any], inputs: Any, grad_outputs: Any = None, **options: Any) -> bool:
    """Whether the gradients of `func`'s gradients agree with differences (torch.autograd.gradgradcheck)."""
    args = inputs if isinstance(inputs, (tuple, list)) else (inputs,)
    outs = _outputs(func, args)
    given = grad_outputs if grad_outputs is not None else [randn_like(out).requires_grad_() for out in outs]
    weights = [given] if isinstance(given, Tensor) else list(given)

    def gradients(*both: Any) -> Any:
        xs, ws = both[: len(args)], both[len(args) :]
        # Perturbed inputs arrive without history, and the inner derivative needs one.
        xs = tuple(_with_history(x, a) for x, a in zip(xs, args, strict=False))
        wanted = [x for x in xs if isinstance(x, Tensor) and x.requires_grad]
        results = [o.mul(out, 1) for out in _outputs(func, xs)]
        return grad(results, wanted, list(ws), create_graph=True, materialize_grads=True)

    return gradcheck(enable_grad()(gradients), (*args, *weights), **options)


def _with_history(x: Any, original: Any) -> Any:
    wanted = isinstance(original, Tensor) and original.requires_grad
    return x.requires_grad_() if wanted and not x.requires_grad else x
