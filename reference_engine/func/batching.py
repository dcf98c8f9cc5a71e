"""vmap: turns a function of an example into a function of a batch (torch.func.vmap).

The function is called once. Its mapped arguments are `batching.batched.Batched`, which show the form of an example and
hold the whole batch, and every operation on them is done for all examples at once (see `batching.execution`). What does
not depend on a mapped argument is computed once, and repeated only where it is part of the output.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from .. import primitives as o
from ..batching.active import Batch, batching
from ..batching.batched import Batched
from ..batching.execution import unbatched
from ..core.modes import transforming
from ..core.tensor import Tensor
from ..functions.random import get_rng_state, set_rng_state
from ..functions.shaping import cat, split
from ..utils.pytree import flatten

Function = Callable[..., Any]
_RANDOMNESS = ("error", "different", "same")


def vmap(
    func: Function,
    in_dims: Any = 0,
    out_dims: Any = 0,
    randomness: str = "error",
    *,
    chunk_size: int | None = None,
) -> Function:
    """A function that maps `func` over a dimension of its arguments (torch.func.vmap).

    `in_dims` is the mapped dimension of each positional argument, None if none is: an integer for all, or a
    tuple with an entry per argument, which may be nested as the argument is. `out_dims` is where the dimension
    appears in the outputs. Random functions raise an error ("error"), or draw for every example ("different"), or once
    for all ("same"). `chunk_size` limits how many examples are computed at a time.

    ValueError for dimensions that do not fit the arguments or outputs, and for sizes that differ; RuntimeError where
    the function needs the value of a mapped tensor, as an `if` does, or writes it into a tensor that is not mapped.
    """
    if randomness not in _RANDOMNESS:
        raise RuntimeError(f"Only allowed values for randomness are 'error', 'different', or 'same'. Got {randomness}")
    if chunk_size is not None and chunk_size < 1:
        raise ValueError(f"vmap: chunk_size should be None or greater than 0. (got {chunk_size})")

    @functools.wraps(func)
    def mapped(*args: Any, **options: Any) -> Any:
        # Keyword arguments are never mapped, as in PyTorch.
        leaves, rebuild = flatten(args)
        dims = _mapped_dims(func, in_dims, args, leaves)
        size = _batch_size(leaves, dims)
        call = lambda parts: func(*rebuild(parts), **options)  # noqa: E731
        if chunk_size is None or chunk_size >= size:
            outs, again, _ = _run(func, call, leaves, dims, size, out_dims, randomness)
            return again(outs)
        return _in_chunks(func, call, leaves, dims, chunk_size, out_dims, randomness)

    return mapped


def _run(
    func: Function,
    call: Callable[[Sequence[Any]], Any],
    leaves: Sequence[Any],
    dims: Sequence[int | None],
    size: int,
    out_dims: Any,
    randomness: str,
) -> tuple[list[Any], Any, list[int | None]]:
    """One call of the function on a batch: the output's leaves, how to put them together, and their dimensions."""
    # `transforming` marks where parts of autograd that keep state outside the function raise errors.
    with batching(size, randomness) as batch, transforming():
        parts = [x if d is None else wrapped(x, d, batch) for x, d in zip(leaves, dims, strict=True)]
        output = call(parts)
        outs, rebuild = flatten(output)
        places = _out_dims(func, out_dims, output)
        return [_unwrapped(func, v, d, batch) for v, d in zip(outs, places, strict=True)], rebuild, places


def _in_chunks(
    func: Function, call: Any, leaves: Any, dims: Any, chunk_size: int, out_dims: Any, randomness: str
) -> Any:
    """The same, some examples at a time; every chunk sees the same random numbers if all examples should."""
    pieces = [x if d is None else split(x, chunk_size, d) for x, d in zip(leaves, dims, strict=True)]
    count = next(len(p) for p, d in zip(pieces, dims, strict=True) if d is not None)
    state, runs = get_rng_state(), []
    for i in range(count):
        # Every chunk starts from the same state, so that all examples see equal numbers.
        if randomness == "same":
            set_rng_state(state)
        parts = [p if d is None else p[i] for p, d in zip(pieces, dims, strict=True)]
        size = _batch_size(parts, dims)
        runs.append(_run(func, call, parts, dims, size, out_dims, randomness))
    # Outputs without a batch are equal in all chunks, so the first is taken.
    columns = zip(*(outs for outs, _, _ in runs), strict=True)
    joined = [c[0] if d is None else cat(list(c), d) for c, d in zip(columns, runs[0][2], strict=True)]
    return runs[0][1](joined)


def name_of(func: Function) -> str:
    """The name of a function in messages."""
    return getattr(func, "__name__", None) or repr(func)


def structure(tree: Any) -> Any:
    """A tree with stars for leaves, for messages."""
    leaves, rebuild = flatten(tree)
    return rebuild(["*"] * len(leaves))


# --- into the batch and out of it --------------------------------------------------------------------


def wrapped(x: Tensor, dim: int, batch: Batch) -> Batched:
    """A tensor as a batch along a dimension."""
    return Batched.wrap(_moved(x, dim, 0), batch.level)


def _moved(x: Tensor, source: int, target: int) -> Tensor:
    """The tensor with a dimension moved elsewhere."""
    dims = list(range(x.array.ndim))
    dims.insert(target % len(dims), dims.pop(source % len(dims)))
    # A permutation that changes nothing would still record a node.
    return x if dims == sorted(dims) else o.permute(x, dims=tuple(dims))


def _unwrapped(func: Function, value: Any, dim: int | None, batch: Batch) -> Any:
    """An output as the caller of `vmap` sees it."""
    is_batch = isinstance(value, Batched) and value.level == batch.level
    if dim is None:
        if is_batch:
            raise ValueError(
                f"vmap({name_of(func)}, ...): `{name_of(func)}` can not return a BatchedTensor when out_dim is None: "
                "the output differs from example to example, so say where the batch goes"
            )
        return value
    if not isinstance(value, Tensor):
        raise ValueError(
            f"vmap({name_of(func)}, ...): `{name_of(func)}` must only return Tensors, got type {type(value)}. Did you "
            "mean to set out_dims= to None for output?"
        )
    # An output that does not depend on mapped arguments is repeated only here.
    whole = unbatched(value, batch)
    if not -whole.array.ndim <= dim < whole.array.ndim:
        raise IndexError(
            f"Dimension out of range (expected to be in range of [{-whole.array.ndim}, {whole.array.ndim - 1}], but "
            f"got out_dims={dim})"
        )
    return _moved(whole, 0, dim)


# --- what in_dims and out_dims say -------------------------------------------------------------------


def _mapped_dims(func: Function, in_dims: Any, args: Any, leaves: Sequence[Any]) -> list[int | None]:
    """One dimension, or None, for every leaf of the arguments, checked."""
    what = f"vmap({name_of(func)}, in_dims={in_dims}, ...)(<inputs>)"
    if not isinstance(in_dims, (int, tuple)):
        raise ValueError(
            f"{what}: expected `in_dims` to be int or a (potentially nested) tuple matching the structure of inputs, "
            f"got: {type(in_dims)}."
        )
    if not leaves:
        raise ValueError(
            f"{what}: got no inputs. Maybe you forgot to add inputs, or you are trying to vmap over a function with "
            "no inputs. The latter is unsupported."
        )
    dims = _leaf_dims(in_dims, args)
    if dims is None:
        raise ValueError(f"{what}: in_dims is not compatible with the structure of `inputs`: {structure(args)}")
    return [_checked(what, d, x) for d, x in zip(dims, leaves, strict=True)]


def _checked(what: str, dim: Any, leaf: Any) -> int | None:
    if dim is None:
        return None
    if not isinstance(dim, int):
        raise ValueError(
            f"{what}: Got in_dim={dim} for an input but in_dim must be either an integer dimension or None."
        )
    if not isinstance(leaf, Tensor):
        raise ValueError(
            f"{what}: Got in_dim={dim} for an input but the input is of type {type(leaf)}. We cannot vmap over "
            "non-Tensor arguments, please use None as the respective in_dim"
        )
    ndim = leaf.array.ndim
    if not -ndim <= dim < ndim:
        raise ValueError(
            f"{what}: Got in_dim={dim} for some input, but that input is a Tensor of dimensionality {ndim} so expected "
            f"in_dim to satisfy -{ndim} <= in_dim < {ndim}."
        )
    return dim


def _batch_size(leaves: Sequence[Any], dims: Sequence[int | None]) -> int:
    sizes = [x.array.shape[d] for x, d in zip(leaves, dims, strict=True) if d is not None]
    if not sizes:
        raise ValueError("vmap: Expected at least one Tensor to vmap over: every in_dim is None")
    if len(set(sizes)) > 1:
        raise ValueError(
            f"vmap: Expected all tensors to have the same size in the mapped dimension, got sizes {sizes} for the "
            "mapped dimension"
        )
    return int(sizes[0])


def _out_dims(func: Function, out_dims: Any, output: Any) -> list[int | None]:
    # PyTorch accepts (0,) for a single output that is no tuple.
    if isinstance(output, Tensor) and isinstance(out_dims, tuple) and len(out_dims) == 1:
        out_dims = out_dims[0]
    dims = _leaf_dims(out_dims, output)
    if dims is None:
        raise ValueError(
            f"vmap({name_of(func)}, ..., out_dims={out_dims})(<inputs>): out_dims is not compatible with the structure "
            f"of `outputs`: {structure(output)}"
        )
    return dims


def _leaf_dims(dims: Any, tree: Any) -> list[Any] | None:
    """One entry for each leaf of a tree, from an entry for all or a tree of entries for its parts; None: no match."""
    if not isinstance(dims, (tuple, list, dict)):
        return [dims] * len(flatten(tree)[0])
    if not isinstance(tree, dict if isinstance(dims, dict) else (tuple, list)) or len(dims) != len(tree):
        return None
    # By key, as dictionaries with the same keys may have another order.
    if isinstance(dims, dict):
        if set(dims) != set(tree):
            return None
        return _leaf_dims([dims[key] for key in tree], [tree[key] for key in tree])
    parts = [_leaf_dims(d, child) for d, child in zip(dims, tree, strict=True)]
    return None if None in parts else [d for part in parts for d in part or ()]
