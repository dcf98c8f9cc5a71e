"""Checking derivatives against differences (torch.autograd.gradcheck, gradgradcheck; notes/gradcheck).

Every input that requires grad is perturbed element by element, and the resulting Jacobian compared with that which
backward (and, if asked, forward mode) gives. Complex inputs are perturbed along both axes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .. import primitives as o
from ..core import warn
from ..core.modes import enable_grad, no_grad
from ..core.tape import Node
from ..core.tensor import Tensor
from ..functions.creation import zeros_like
from ..functions.random import randn_like
from . import forward_ad
from .functional import jacobian
from .gradients import grad


class GradcheckError(RuntimeError):
    """The computed derivative differs from that of finite differences."""


def gradcheck(
    func: Callable[..., Any],
    inputs: Any,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_batched_grad: bool = False,
    check_batched_forward_grad: bool = False,
    check_forward_ad: bool = False,
    check_backward_ad: bool = True,
    **others: Any,
) -> bool:
    """Whether the gradients of `func` agree with central differences (torch.autograd.gradcheck).

    Also whether backward gives the same twice (but for `nondet_tol`), takes outputs without a gradient and several
    gradients at once (`check_batched_grad`). If not, GradcheckError or False;
    ValueError if nothing requires grad, RuntimeError for overlaps.
    """
    _check_choice(check_forward_ad, check_backward_ad, check_batched_forward_grad, check_batched_grad)
    try:
        args = inputs if isinstance(inputs, (tuple, list)) else (inputs,)
        for i in _check_inputs(args):
            _check_input(func, args, i, eps, atol, rtol, check_backward_ad, check_forward_ad)
            if check_backward_ad:
                _check_repeats(func, args, i, nondet_tol)
        if check_backward_ad and check_undefined_grad:
            _check_undefined(func, args)
        if check_batched_grad:
            _check_batches(func, args, atol, rtol)
        if check_batched_forward_grad:
            _check_batched_forward(func, args)
    except GradcheckError:
        if raise_exception:
            raise
        return False
    return True


def _check_choice(forward: bool, backward: bool, batched_forward: bool, batched_backward: bool) -> None:
    """AssertionError for a choice of checks that makes no sense."""
    if not (forward or backward):
        raise AssertionError("Expected at least one of check_forward_ad or check_backward_ad to be True")
    if (batched_backward > backward) or (batched_forward > forward):
        raise AssertionError("the check of batched gradients needs the check of the mode that they come from")


def _check_inputs(args: Sequence[Any]) -> list[int]:
    """The places of the inputs to check, all of which can be."""
    places = [i for i, x in enumerate(args) if isinstance(x, Tensor) and x.requires_grad]
    if not places:
        raise ValueError("gradcheck expects at least one input tensor to require gradient: call requires_grad_() on it")
    for x in [args[i] for i in places]:
        if x.array.dtype not in (np.float64, np.complex128):
            warn.user(f"an input of {x.dtype} is not of double precision floating point: differences will be too rough")
        if any(step == 0 and n > 1 for step, n in zip(x.array.strides, x.array.shape, strict=True)):
            raise RuntimeError(
                "an input has a dimension with stride 0: several of its elements share memory, so none can be changed "
                "alone. gradcheck only supports inputs that are non-overlapping; clone() it."
            )
    return places


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
    """The directions: a unit vector per element, and an imaginary unit for complex elements."""
    # A complex element moves in two real directions.
    units = np.eye(x.array.size, dtype=x.array.dtype).reshape(-1, *x.array.shape)
    return [*units, *(1j * units if x.dtype.is_complex else ())]


def _numeric(func: Any, args: Any, index: int, eps: float) -> list[Any]:
    """For each output, the derivatives along all directions of an input, by central differences."""
    x = args[index]
    rows = []
    with no_grad():
        for direction in _directions(x):
            # Central differences: their error is of second order in eps.
            up, down = (
                _outputs(func, [*args[:index], Tensor.of(x.array + s * eps * direction), *args[index + 1 :]])
                for s in (1, -1)
            )
            rows.append([(u.array - d.array).ravel() / (2 * eps) for u, d in zip(up, down, strict=False)])
    return [np.stack(column) for column in zip(*rows, strict=False)]


def _by_backward(func: Any, args: Any, index: int) -> list[Any]:
    """The same table, from a backward pass per direction of each output."""
    x = args[index]
    table = []
    for out in _outputs(func, args):
        # A constant output has a Jacobian all the same: zeros.
        if not out.requires_grad:
            table.append(np.zeros((len(_directions(x)), out.array.size), out.array.dtype))
            continue
        pulled = [
            grad(out, x, Tensor.of(d), retain_graph=True, allow_unused=True, materialize_grads=True)[0].array
            for d in _directions(out)
        ]
        table.append(_transposed(pulled, x, out))
    return table


def _transposed(pulled: list[Any], x: Tensor, out: Tensor) -> Any:
    """Derivatives along directions of x, from cotangents pulled back for directions of the output."""
    # A cotangent d pairs with an output as the real part of conj(d) times it; complex outputs have two halves.
    along = [np.array([np.real(np.sum(np.conj(d) * p)) for p in pulled]) for d in _directions(x)]
    rows = np.stack(along)
    size = out.array.size
    return rows[:, :size] + 1j * rows[:, size:] if out.dtype.is_complex else rows


def _check_repeats(func: Any, args: Any, index: int, tolerance: float) -> None:
    """GradcheckError for a backward that gives something else the second time."""
    # Atomic additions on parallel hardware make such differences; `nondet_tol` allows for them.
    for once, again in zip(_by_backward(func, args, index), _by_backward(func, args, index), strict=True):
        if once.size and np.abs(once - again).max() > tolerance:
            raise GradcheckError(
                "Backward is not reentrant, i.e., running backward with same input and grad_output multiple times "
                f"gives different values: by {np.abs(once - again).max()}, where nondet_tol allows {tolerance}"
            )


class _Undefined(Node):
    """Passes no gradient on, as if the output that it is put behind had not been used."""

    def pullback(self, cotangents: list[Any], recording: bool) -> Sequence[Any]:
        return [None]


def _unused(out: Tensor) -> Tensor:
    return out.alias((_Undefined([out.edge()], [out.form]), 0))


def _check_undefined(func: Any, args: Any) -> None:
    """GradcheckError for a backward that makes a gradient of none: with all outputs unused, then with each of them."""
    wanted = [x for x in args if isinstance(x, Tensor) and x.requires_grad]
    count = len([out for out in _outputs(func, args) if out.requires_grad])
    # Both kinds of None: none at all, and beside a gradient.
    for unused in [set(range(count)), *({i} for i in range(count))] if count > 1 else [{0}] * count:
        outs = [out for out in _outputs(func, args) if out.requires_grad]
        roots = [_unused(out) if i in unused else out for i, out in enumerate(outs)]
        for result in grad(roots, wanted, [zeros_like(out) for out in outs], allow_unused=True):
            if result is not None and np.any(result.array != 0):
                raise GradcheckError(
                    "Expected all inputs to have undefined or zero gradients when the gradients of the outputs are: "
                    "backward must handle None (see set_materialize_grads)"
                )


def _check_batches(func: Any, args: Any, atol: float, rtol: float) -> None:
    """GradcheckError for a backward that gives for a batch of cotangents other than for each of them."""
    wanted = [x for x in args if isinstance(x, Tensor) and x.requires_grad]
    for out in _outputs(func, args):
        # Two rows suffice to tell rows that are mixed up.
        rows = [randn_like(out) for _ in range(2)]
        try:
            batch = grad(out, wanted, o.stack(*rows, dim=0), True, is_grads_batched=True, materialize_grads=True)
        except RuntimeError as error:
            raise GradcheckError(f"the gradients of a batch of cotangents cannot be computed: {error}") from error
        for i, row in enumerate(rows):
            for single, many in zip(grad(out, wanted, row, True, materialize_grads=True), batch, strict=True):
                if not np.allclose(single.array, many.array[i], rtol, atol):
                    raise GradcheckError("the gradients of a batch of cotangents are not those of each of them")


def _check_batched_forward(func: Any, args: Any) -> None:
    """GradcheckError for a function whose tangents cannot be computed for a batch of directions."""
    places = [i for i, x in enumerate(args) if isinstance(x, Tensor) and x.requires_grad]

    def outputs(*inputs: Tensor) -> tuple[Tensor, ...]:
        given = dict(zip(places, inputs, strict=True))
        return tuple(_outputs(func, [given.get(i, x) for i, x in enumerate(args)]))

    try:
        jacobian(outputs, tuple(args[i] for i in places), vectorize=True, strategy="forward-mode")
    except RuntimeError as error:
        raise GradcheckError(f"the tangents of a batch of directions cannot be computed: {error}") from error


def _by_forward(func: Any, args: Any, index: int) -> list[Any]:
    """The same table, from a run of the function per direction."""
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
    """Whether the gradients of `func`'s gradients agree with differences (torch.autograd.gradgradcheck).

    `options` are those of `gradcheck`.
    """
    args = inputs if isinstance(inputs, (tuple, list)) else (inputs,)
    # Random weights, as those of a sum could hide errors that cancel.
    given = [randn_like(out).requires_grad_() for out in _outputs(func, args)] if grad_outputs is None else grad_outputs
    weights = [given] if isinstance(given, Tensor) else list(given)

    def gradients(*both: Any) -> Any:
        xs, ws = both[: len(args)], both[len(args) :]
        # Perturbed inputs arrive without history, which the inner derivative needs.
        xs = tuple(_with_history(x, a) for x, a in zip(xs, args, strict=False))
        wanted = [x for x in xs if isinstance(x, Tensor) and x.requires_grad]
        # Copies, because an output may be an input itself, which has no gradient function.
        results = [o.mul(out, 1) for out in _outputs(func, xs)]
        return grad(results, wanted, list(ws), create_graph=True, materialize_grads=True)

    return gradcheck(enable_grad()(gradients), (*args, *weights), **options)


def _with_history(x: Any, original: Any) -> Any:
    wanted = isinstance(original, Tensor) and original.requires_grad
    return x.requires_grad_() if wanted and not x.requires_grad else x
