"""Call forms of an operation (function, method, operator, in-place), and its arguments in normal form."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np

from ..core.aliases import Axes, Shape
from ..core.inplace import inplace
from ..core.modes import state
from ..core.primitive import Primitive
from ..core.tensor import Tensor

Compute = Primitive | Callable[..., Any]
Form = Callable[..., Any]
F = TypeVar("F", bound=Form)

# Most arguments are of these very types, which take over nothing.
ORDINARY = {Tensor, bool, int, float, complex}
_OPERANDS = (Tensor, bool, int, float, complex, np.ndarray, np.generic)


def name_of(compute: Compute) -> str:
    """The name of a primitive or function."""
    return compute.name if isinstance(compute, Primitive) else compute.__name__


def documented(form: F, name: str, doc: str | None) -> F:
    """The form under its public name, with its docstring."""
    form.__name__ = form.__qualname__ = name
    form.__doc__ = doc
    return form


def described(form: F, name: str, compute: Compute) -> F:
    """The form under its public name, with the docstring of what it computes."""
    documented(
        form, name, f"{name} of each element (torch.{name})." if isinstance(compute, Primitive) else compute.__doc__
    )
    if not isinstance(compute, Primitive):
        form.__wrapped__ = compute  # type: ignore[attr-defined]  # `inspect.signature` shows its arguments
    return form


def overriding(value: Any) -> bool:
    """Whether a value's class takes over functions through ``__torch_function__``."""
    return not isinstance(value, Tensor) and hasattr(type(value), "__torch_function__")


def _flat(args: Sequence[Any]) -> list[Any]:
    """The arguments, with lists and tuples among them flattened."""
    return [v for a in args for v in (a if isinstance(a, (tuple, list)) else (a,))]


def overridable(function: F) -> F:
    """Let a tensor-like argument's class take over: its ``__torch_function__`` is called instead.

    Source: notes/extending, Extending torch with a Tensor-like type.
    """

    def call(*args: Any, **options: Any) -> Any:
        values = [v for v in _flat((*args, *options.values())) if overriding(v)]
        if values:
            types = tuple({type(v) for v in values})
            # Only the first class is asked, where PyTorch asks all in turn until they answer.
            return types[0].__torch_function__(call, types, args, options)
        return function(*args, **options)

    return described(call, function.__name__, function)  # type: ignore[return-value]


def function_form(name: str, compute: Compute) -> Form:
    """The function ``torch.name``, which is the method ``Tensor.name`` too.

    TypeError unless an argument is a Tensor; a tensor-like argument's class may take over; `out` takes the result.
    """

    def call(*args: Any, **options: Any) -> Any:
        kinds = {*map(type, args)}
        # The rest is for unusual arguments: keywords, containers, arrays, tensor-likes.
        if not options and Tensor in kinds and kinds <= ORDINARY:
            return compute(*args)
        flat = _flat((*args, *options.values()))
        values = [v for v in flat if overriding(v)]
        if values:
            types = tuple({type(v) for v in values})
            return types[0].__torch_function__(call, types, args, options)
        _check_tensors(name, args, flat)
        out = options.pop("out", None)
        result = compute(*args, **options)
        return result if out is None else into(name, out, result, flat)

    return described(call, name, compute)


def _check_tensors(name: str, args: Sequence[Any], flat: Sequence[Any]) -> None:
    # An empty list of tensors is the function's own affair.
    if not any(isinstance(v, Tensor) for v in flat) and not (args and isinstance(args[0], (tuple, list))):
        got = type(flat[0]).__name__ if flat else "nothing"
        raise TypeError(f"{name}(): argument 'input' must be Tensor, not {got}; torch.tensor(...) makes one")


def operator_form(name: str, compute: Compute) -> Form:
    """An operator, which lets the other operand's class take over, or try its own reflected operator."""

    def operator(self: Tensor, other: Any) -> Any:
        if type(other) in ORDINARY:
            return compute(self, other)
        if overriding(other):
            return type(other).__torch_function__(operator, (type(other),), (self, other), {})
        # NotImplemented lets Python try the other operand's reflected operator.
        return compute(self, other) if isinstance(other, _OPERANDS) else NotImplemented

    return described(operator, name, compute)


def inplace_form(name: str, compute: Compute) -> Form:
    """The method ``Tensor.name_``, which writes the result into the tensor."""

    def method(self: Tensor, *args: Any, **options: Any) -> Tensor:
        return inplace(self, compute, self, *args, **options)

    return described(method, name, compute)


def reflected(compute: Compute) -> Form:
    """The operation with its operands exchanged, as ``2 - x`` needs it."""
    return described(lambda self, other: compute(other, self), name_of(compute), compute)


def into(name: str, out: Any, result: Any, operands: Sequence[Any]) -> Any:
    """Put a result into `out`, which takes on its shape; RuntimeError if a gradient would be lost, or under `vmap`."""
    if isinstance(out, (tuple, list)):
        return type(result)(*(into(name, o, r, operands) for o, r in zip(out, result, strict=True)))
    if result.batches() | out.batches():
        raise RuntimeError(f"{name}(): vmap does not support out=... arguments: return the result instead")
    if state.now.grad and any(isinstance(v, Tensor) and v.requires_grad for v in (*operands, out)):
        raise RuntimeError(
            f"{name}(): functions with out=... arguments don't support automatic differentiation, but one of the "
            "arguments requires grad: assign the result instead"
        )
    # In place where it fits, so that views of `out` see the result.
    if out.array.shape == result.array.shape:
        out.array[...] = result.array
    else:
        out.array = result.array.astype(out.array.dtype)
    out.version.value += 1
    return out


def tensor_argument(function: str, value: Any, name: str = "input") -> Tensor:
    """The value, if it is a Tensor; TypeError naming function and argument otherwise."""
    if not isinstance(value, Tensor):
        raise TypeError(
            f"{function}(): argument '{name}' must be Tensor, not {type(value).__name__}; torch.tensor(...) makes one"
        )
    return value


def floating(function: str, x: Tensor) -> Tensor:
    """The Tensor, if its elements are floating point numbers; RuntimeError naming the function otherwise."""
    if not x.dtype.is_floating_point:
        raise RuntimeError(f"{function}: not implemented for {x.dtype}; convert it to a floating point type first")
    return x


def dims(x: Tensor, dim: Axes) -> Any:
    """Dimensions in normal form: None, or not negative; IndexError if the tensor has no such dimension."""
    several = isinstance(dim, (tuple, list))
    if dim is None or (several and not dim):
        return None
    named: Sequence[Any] = dim if several else (dim,)  # type: ignore[assignment]
    normal = tuple(one_dim(x.ndim, d) for d in named)
    if len(set(normal)) < len(normal):
        raise RuntimeError(f"a dimension appears multiple times in the list of dims {list(named)}")
    # A scalar has no dimension: what is named is all of it.
    return None if not x.ndim else normal if several else normal[0]


def filled(x: Tensor, dim: Axes) -> Any:
    """Dimensions in normal form, along which there must be elements to choose from: IndexError otherwise."""
    normal = dims(x, dim)
    for d in () if normal is None else normal if isinstance(normal, tuple) else (normal,):
        if not x.shape[d]:
            raise IndexError(f"Expected reduction dim {d} to have non-zero size, but got {list(x.shape)}")
    return normal


def one_dim(ndim: int, dim: int) -> int:
    """One dimension, not negative; a scalar may be asked for dimension 0 or -1."""
    # PyTorch accepts the dimensions 0 and -1 of a scalar.
    limit = max(ndim, 1)
    if not -limit <= dim < limit:
        raise IndexError(f"Dimension out of range (expected to be in range of [{-limit}, {limit - 1}], but got {dim})")
    return dim % limit


def sizes(shape: tuple[Any, ...]) -> Shape:
    """Sizes from several integers or a sequence of them."""
    given = shape[0] if len(shape) == 1 and isinstance(shape[0], (tuple, list)) else shape
    return tuple(int(n) for n in given)
