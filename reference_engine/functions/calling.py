"""Argument forms that PyTorch's functions share, and the refusal of what is no tensor."""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from ..core.modes import state
from ..core.primitive import Primitive
from ..core.tensor import Tensor

F = TypeVar("F", bound=Callable[..., Any])


# Most arguments are of these very types, which take over nothing.
ORDINARY = {Tensor, bool, int, float, complex}


def overriding(value: Any) -> bool:
    """Whether a value's class takes over functions through ``__torch_function__``."""
    return not isinstance(value, Tensor) and hasattr(type(value), "__torch_function__")


def overridable(function: F, short: Callable[..., Any] | None = None) -> F:
    """Let a tensor-like argument's class take over: its ``__torch_function__`` is called instead.

    Source: notes/extending, Extending torch with a Tensor-like type. `short` is what the function does with Tensors.
    """

    parameters = inspect.signature(function).parameters.values()
    named = frozenset(p.name for p in parameters if p.kind is not p.VAR_POSITIONAL)
    rest = next((p.name for p in parameters if p.kind is p.VAR_POSITIONAL), None)

    @functools.wraps(function)
    def call(*args: Any, **options: Any) -> Any:
        if not options:
            if short is not None and len(args) == 1 and type(args[0]) is Tensor:
                return short(args[0])
            for value in args:
                if type(value) not in ORDINARY:
                    break
            else:
                return function(*args)
        flat = [v for a in (*args, *options.values()) for v in (a if isinstance(a, (tuple, list)) else (a,))]
        for value in flat:
            if overriding(value):
                types = tuple({type(v) for v in flat if overriding(v)})
                return type(value).__torch_function__(call, types, args, options)
        if named.issuperset(options):
            return function(*args, **options)
        out = None if "out" in named else options.pop("out", None)
        args, options = _renamed(args, options, named, rest)
        result = function(*args, **options)
        return result if out is None else into(function.__name__, out, result, flat)

    return call  # type: ignore[return-value]


# What NumPy calls things, and other spellings that PyTorch takes (torch.sum, and so on).
_ALSO = {
    "axis": "dim", "keepdims": "keepdim", "x": "input", "a": "input", "x1": "input", "x2": "other", "exponent": "other",
    "axis0": "dim0", "axis1": "dim1",
}  # fmt: skip


def _renamed(args: tuple[Any, ...], options: dict[Any, Any], named: frozenset[str], rest: str | None) -> Any:
    """The arguments under the names that a function has for them; sizes and dimensions that may come one by one."""
    for name in set(options) - named:
        known = _ALSO.get(name)
        if known in named and known not in options:
            options[known] = options.pop(name)
    for name in ("dims", "shape", "size", "repeats"):
        if rest is not None and name in options:
            front = (options.pop("input"),) if "input" in options else ()
            args = (*args, *front, options.pop(name))
    return args, options


def into(name: str, out: Any, result: Any, operands: Sequence[Any]) -> Any:
    """Put a result into `out`, which takes on its shape; RuntimeError if a gradient would be lost."""
    if isinstance(out, (tuple, list)):
        return type(result)(*(into(name, o, r, operands) for o, r in zip(out, result, strict=True)))
    if state.now.grad and any(isinstance(v, Tensor) and v.requires_grad for v in (*operands, out)):
        raise RuntimeError(
            f"{name}(): functions with out=... arguments don't support automatic differentiation, but one of the "
            "arguments requires grad: assign the result instead"
        )
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
    if not tensor_argument(function, x).dtype.is_floating_point:
        raise RuntimeError(f"{function}: not implemented for {x.dtype}; convert it to a floating point type first")
    return x


def unary(primitive: Primitive) -> Callable[..., Tensor]:
    """The public function of one tensor that a primitive computes."""

    def function(input: Tensor) -> Tensor:
        if not isinstance(input, Tensor):
            tensor_argument(primitive.name, input)
        return primitive(input)

    function.__name__ = primitive.name
    function.__doc__ = f"{primitive.name} of each element (torch.{primitive.name}). TypeError unless given a Tensor."
    return overridable(function)


def binary(primitive: Primitive) -> Callable[..., Tensor]:
    """The public function of two operands, of which one at least is a tensor; they broadcast and promote."""

    def function(input: Any, other: Any) -> Tensor:
        if not isinstance(other, Tensor):
            tensor_argument(primitive.name, input)
        return primitive(input, other)

    function.__name__ = primitive.name
    function.__doc__ = (
        f"{primitive.name} of two operands, broadcast (torch.{primitive.name}). TypeError without a Tensor."
    )
    return overridable(function)


def dims(x: Tensor, dim: Any) -> Any:
    """Dimensions in normal form: None, or not negative; IndexError if the tensor has no such dimension."""
    if dim is None or dim == ():
        return None
    several = isinstance(dim, (tuple, list))
    found = tuple(one_dim(x.ndim, d) for d in (dim if several else (dim,)))
    if len(set(found)) < len(found):
        raise RuntimeError(f"a dimension appears multiple times in the list of dims {list(dim)}")
    # A scalar has no dimension: what is named is all of it.
    return None if not x.ndim else found if several else found[0]


def filled(name: str, x: Tensor, dim: Any) -> Any:
    """Dimensions in normal form, along which there must be elements to choose from: IndexError otherwise."""
    found = dims(x, dim)
    for d in () if found is None else found if isinstance(found, tuple) else (found,):
        if not x.shape[d]:
            raise IndexError(f"{name}(): Expected reduction dim {d} to have non-zero size, but got {list(x.shape)}")
    return found


def one_dim(ndim: int, dim: int) -> int:
    """One dimension, not negative; a scalar may be asked for dimension 0 or -1."""
    limit = max(ndim, 1)
    if not -limit <= dim < limit:
        raise IndexError(f"Dimension out of range (expected to be in range of [{-limit}, {limit - 1}], but got {dim})")
    return dim % limit


def sizes(shape: tuple[Any, ...]) -> tuple[int, ...]:
    """Sizes given as several integers or as one sequence of them."""
    given = shape[0] if len(shape) == 1 and isinstance(shape[0], (tuple, list)) else shape
    return tuple(int(n) for n in given)
