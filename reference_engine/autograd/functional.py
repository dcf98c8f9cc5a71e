"""torch.autograd.functional: products with Jacobians and Hessians of a function of tensors.

Inputs are a tensor or a tuple of tensors, and results have the same structure. Everything here is composed of
`grad` with `create_graph`; forward products are two reverse ones (the transpose of a linear map, transposed).
Jacobians in forward mode take a single run, mapped over a basis.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .. import primitives as o
from ..batching.active import batching
from ..batching.batched import Batched
from ..batching.execution import unbatched
from ..core import levels
from ..core.modes import inference_mode
from ..core.tensor import Tensor
from ..functions.creation import ones_like, zeros_like
from ..functions.shaping import reshape
from .forward_ad import check_differentiable, level_of_columns
from .gradients import grad


def _as_tuple(value: Any, what: str) -> tuple[bool, tuple[Tensor, ...]]:
    """Whether the program gave a tuple, and its tensors; TypeError naming what is no tensor."""
    many = isinstance(value, tuple)
    values = tuple(value) if many else (value,)
    for i, v in enumerate(values):
        if not isinstance(v, Tensor):
            raise TypeError(
                f"The {what} must be either a Tensor or a tuple of Tensors, but element {i} is {type(v).__name__}"
            )
    return many, values


def _like(many: bool, values: Any) -> Any:
    return tuple(values) if many else values[0]


def _inputs(values: tuple[Tensor, ...], create_graph: bool) -> tuple[Tensor, ...]:
    """Tensors to differentiate with respect to: still connected to the given ones if a graph is wanted."""
    if create_graph:
        # Not detached, which would lose a tangent: a Jacobian may be differentiated in forward mode too.
        return tuple(o.alias(x).requires_grad_() for x in values)
    return tuple(x.detach().requires_grad_() for x in values)


def _call(func: Callable[..., Any], inputs: tuple[Tensor, ...]) -> tuple[bool, tuple[Tensor, ...]]:
    return _as_tuple(func(*inputs), "outputs of the user-provided function")


def _gradients(
    outputs: Any, inputs: Any, weights: Any, create_graph: bool, strict: bool, what: str = "output"
) -> list[Tensor]:
    """The vector-Jacobian product, zero for what does not depend on an input, RuntimeError for that if `strict`.

    A weight of None counts as 1, for which `grad` raises an error where the output is complex.
    """
    pairs = [(out, w) for out, w in zip(outputs, weights, strict=False) if out.requires_grad]
    # Constant outputs would otherwise give zeros without a word.
    if strict and len(pairs) < len(outputs):
        raise RuntimeError(
            f"The {what} of the user-provided function is independent of the input. This is not allowed in strict mode."
        )
    gradients: Any = [None] * len(inputs)
    if pairs:
        # The graph is retained, because Jacobians come row by row from the same graph.
        outs, ws = zip(*pairs, strict=False)
        gradients = grad(outs, inputs, ws, retain_graph=True, create_graph=create_graph, allow_unused=True)
    if strict and any(f is None for f in gradients):
        raise RuntimeError(
            f"The {what} of the user-provided function is independent of an input. This is not allowed in strict mode."
        )
    # Independent inputs have a derivative, which is zero: unlike `grad`, these functions return tensors for all.
    return [zeros_like(x) if f is None else f for f, x in zip(gradients, inputs, strict=False)]


def _weights(v: Any, like: tuple[Tensor, ...], what: str) -> tuple[Tensor, ...]:
    """The vector of a product, checked; ones if the function has a single element and none is given."""
    if v is None:
        if len(like) != 1 or like[0].numel() != 1:
            raise RuntimeError(f"The vector v can only be None if the {what} is a single Tensor with a single element")
        return (ones_like(like[0]),)
    _, values = _as_tuple(v, "vector")
    if [tuple(a.shape) for a in values] != [tuple(b.shape) for b in like]:
        got, expected = [list(a.shape) for a in values], [list(b.shape) for b in like]
        raise RuntimeError(f"v has invalid size: should be {expected} as the {what}, but got {got}")
    return values


def _finished(values: Any, create_graph: bool) -> list[Tensor]:
    return list(values) if create_graph else [v.detach() for v in values]


# Recorded in every mode around the call: in inference mode `enable_grad` has no effect, and derivatives would be zero.
@inference_mode(False)
def vjp(func: Any, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False) -> tuple[Any, Any]:
    """The outputs, and the product of `v` (of the outputs' shape) with the Jacobian (torch.autograd.functional.vjp)."""
    many, values = _as_tuple(inputs, "inputs")
    xs = _inputs(values, create_graph)
    many_out, outputs = _call(func, xs)
    products = _gradients(outputs, xs, _weights(v, outputs, "output"), create_graph, strict)
    return _like(many_out, _finished(outputs, create_graph)), _like(many, _finished(products, create_graph))


@inference_mode(False)
def jvp(func: Any, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False) -> tuple[Any, Any]:
    """The outputs, and the product of the Jacobian with `v` (of the inputs' shape) (torch.autograd.functional.jvp)."""
    _many, values = _as_tuple(inputs, "inputs")
    xs = _inputs(values, create_graph)
    vs = _weights(v, xs, "input")
    many_out, outputs = _call(func, xs)
    # The product with the Jacobian is linear in u, so its derivative with respect to u is the transposed product.
    us = tuple(zeros_like(out).requires_grad_() for out in outputs)
    pulled = _gradients(outputs, xs, us, True, strict)
    pushed = _gradients(pulled, us, vs, create_graph, strict, "gradient")
    return _like(many_out, _finished(outputs, create_graph)), _like(many_out, _finished(pushed, create_graph))


@inference_mode(False)
def jacobian(
    func: Any,
    inputs: Any,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    strategy: str = "reverse-mode",
) -> Any:
    """The Jacobian, of shape outputs + inputs; nested tuples for several (torch.autograd.functional.jacobian).

    Row by row, or with the ``"forward-mode"`` strategy all columns in a single run of the function, which needs
    `vectorize`. AssertionError for another strategy; NotImplementedError for a strategy that does not go with the rest.
    """
    if strategy not in ("forward-mode", "reverse-mode"):
        raise AssertionError(f'Expected strategy to be either "forward-mode" or "reverse-mode", but got {strategy!r}')
    forward = strategy == "forward-mode"
    if forward and (create_graph or strict or not vectorize):
        raise NotImplementedError("forward-mode needs vectorize=True, and neither create_graph=True nor strict=True")
    many, values = _as_tuple(inputs, "inputs given to jacobian")
    if forward:
        # As in PyTorch, neither inputs nor results are cut off: derivatives around this call have no other way through.
        many_out, blocks = _columns(func, values)
        return _like(many_out, [_like(many, b) for b in blocks])
    xs = _inputs(values, create_graph)
    many_out, outputs = _call(func, xs)
    blocks = [_rows(out, xs, create_graph, strict) for out in outputs]
    return _like(many_out, [_like(many, _finished(b, create_graph)) for b in blocks])


def _columns(func: Callable[..., Any], xs: tuple[Tensor, ...]) -> tuple[bool, list[Any]]:
    """Whether there are several outputs, and the columns by a single run, mapped over a basis of the inputs."""
    for x in xs:
        check_differentiable("primal", x)
    # All columns at once: the tangents are a batch of unit vectors, and the function runs once on the dual numbers.
    with batching(sum(x.numel() for x in xs)) as batch:
        with level_of_columns() as level:
            duals = tuple(o.alias(x) for x in xs)
            for dual, units in zip(duals, basis(xs), strict=True):
                levels.attach(dual, level, Batched.wrap(units, batch.level))
            many, outputs = _call(func, duals)
            tangents = [levels.tangent(out, level) for out in outputs]
        pairs = zip(outputs, tangents, strict=True)
        columns = [unbatched(zeros_like(out) if t is None else t, batch) for out, t in pairs]
    return many, [columns_of(c, xs) for c in columns]


def basis(xs: Sequence[Tensor]) -> list[Tensor]:
    """For each tensor its part of every unit vector of all elements together, along dimension 0."""
    total, start, parts = sum(x.array.size for x in xs), 0, []
    for x in xs:
        # The rows of the identity that belong to this tensor: its diagonal starts `start` rows down.
        units = np.eye(total, x.array.size, -start, dtype=x.array.dtype)
        parts.append(Tensor.of(units.reshape(total, *x.array.shape)))
        start += x.array.size
    return parts


def columns_of(columns: Tensor, xs: Sequence[Tensor]) -> list[Tensor]:
    """Columns mapped over a basis of inputs, as a block of shape output + input for each input."""
    start, blocks = 0, []
    for x in xs:
        part = o.slice(columns, index=(slice(start, start + x.array.size),))
        # The basis is dimension 0 of the batch, and the last of a Jacobian.
        moved = o.permute(part, dims=(*range(1, columns.array.ndim), 0))
        blocks.append(o.reshape(moved, shape=(*moved.array.shape[:-1], *x.array.shape)))
        start += x.array.size
    return blocks


def _rows(out: Tensor, xs: tuple[Tensor, ...], create_graph: bool, strict: bool) -> list[Tensor]:
    """For each input the derivatives of every element of an output."""
    flat = reshape(out, -1)
    rows = [_gradients([flat[i]], xs, [None], create_graph, strict) for i in range(out.numel())]
    # An output without elements has no row to take the shape from.
    if not rows:
        return [zeros_like(x).reshape(tuple(out.shape) + tuple(x.shape)) for x in xs]
    return [
        reshape(o.stack(*column, dim=0), tuple(out.shape) + tuple(x.shape))
        for column, x in zip(zip(*rows, strict=False), xs, strict=False)
    ]


def hessian(
    func: Any,
    inputs: Any,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    outer_jacobian_strategy: str = "reverse-mode",
) -> Any:
    """The second derivatives of a function with a scalar output (torch.autograd.functional.hessian).

    `vectorize` and `outer_jacobian_strategy` say how the Jacobian of the gradient is computed, see `jacobian`.
    """
    many, values = _as_tuple(inputs, "inputs given to hessian")

    def gradient(*xs: Tensor) -> tuple[Tensor, ...]:
        if outer_jacobian_strategy == "forward-mode":
            for x in xs:  # what forward mode hands over may be plain, and a plain input has no gradient
                x.requires_grad_()
        out = _scalar(func(*xs), "hessian")
        return tuple(_gradients([out], xs, [None], True, strict))

    # The Jacobian of the gradient, so any order of modes is available.
    rows = jacobian(gradient, values, create_graph, strict, vectorize, outer_jacobian_strategy)
    blocks = tuple(tuple(block.to(x.dtype) for block in row) for row, x in zip(rows, values, strict=True))
    return blocks if many else blocks[0][0]


def _scalar(out: Any, name: str) -> Tensor:
    if not isinstance(out, Tensor) or out.numel() != 1:
        raise RuntimeError(f"The Tensor returned by the function given to {name} should contain a single element")
    return out


@inference_mode(False)
def vhp(func: Any, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False) -> tuple[Any, Any]:
    """The output, and the product of `v` with the Hessian (torch.autograd.functional.vhp)."""
    many, values = _as_tuple(inputs, "inputs")
    xs = _inputs(values, create_graph)
    # The Hessian is symmetric, so pulling v back through the gradient is the product from either side.
    vs = _weights(v, xs, "input")
    out = _scalar(func(*xs), "vhp")
    first = _gradients([out], xs, [None], True, strict)
    products = _gradients(first, xs, vs, create_graph, strict, "gradient")
    return _finished([out], create_graph)[0], _like(many, _finished(products, create_graph))


def hvp(func: Any, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False) -> tuple[Any, Any]:
    """The output, and the product of the Hessian with `v` (torch.autograd.functional.hvp).

    The Hessian is symmetric, so this is `vhp`.
    """
    return vhp(func, inputs, v, create_graph, strict)
