"""What the transforms' functions take and return: the arguments to differentiate, and structures of tensors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..core.tensor import Tensor
from ..utils.pytree import flatten

Function = Callable[..., Any]
Argnums = int | tuple[int, ...]


def name_of(func: Function) -> str:
    """What messages call a function."""
    return getattr(func, "__name__", None) or repr(func)


def _positions(args: Sequence[Any], argnums: Argnums) -> list[int]:
    """Where the chosen arguments are; RuntimeError if that is nowhere."""
    if not isinstance(argnums, (int, tuple)):
        raise RuntimeError(f"argnums must be int or Tuple[int, ...], got: {type(argnums)}")
    wanted = argnums if isinstance(argnums, tuple) else (argnums,)
    if not wanted:
        raise RuntimeError("argnums must be non-empty: name at least one argument to differentiate")
    for i in wanted:
        if not -len(args) <= i < len(args):
            raise RuntimeError(f"Got argnum={i}, but only {len(args)} positional inputs")
    positions = [i % len(args) for i in wanted]
    if len(set(positions)) < len(positions):
        raise RuntimeError(f"argnums elements must be unique, got argnums={argnums}")
    return positions


def chosen(args: Sequence[Any], argnums: Argnums) -> list[Any]:
    """The arguments to differentiate with respect to."""
    return [args[i] for i in _positions(args, argnums)]


def replaced(args: Sequence[Any], argnums: Argnums, values: Sequence[Any]) -> list[Any]:
    """All arguments, with others in the places of the chosen ones."""
    given = list(args)
    for i, value in zip(_positions(args, argnums), values, strict=True):
        given[i] = value
    return given


def split_aux(result: Any, has_aux: bool, what: str = "the function") -> tuple[Any, Any]:
    """The output and the auxiliary result of a function; RuntimeError unless it returned a pair."""
    if not has_aux:
        return result, None
    if not isinstance(result, tuple) or len(result) != 2:
        raise RuntimeError(f"{what}: output of function f should be a tuple: (output, aux) if has_aux is True")
    return result


def tensors_of(output: Any, what: str) -> list[Tensor]:
    """The tensors of an output; RuntimeError if there is none, or anything else."""
    leaves, _ = flatten(output)
    for leaf in leaves:
        if not isinstance(leaf, Tensor):
            raise RuntimeError(
                f"{what}: expected f(*primals) to return only tensors, got unsupported type {type(leaf)}: return "
                "other values as aux, with has_aux=True"
            )
    if not leaves:
        raise RuntimeError(f"{what}: expected f(*primals) to return at least one tensor, got {output!r}")
    return leaves


def check_structure(what: str, given: Any, like: Any, name: str) -> None:
    """RuntimeError unless two trees have the same structure."""
    ours, theirs = (structure(tree) for tree in (given, like))
    if ours != theirs:
        raise RuntimeError(f"{what}: expected {name} to have the same python structure; got {ours} for {theirs}")


def structure(tree: Any) -> Any:
    """A tree with stars for leaves, for comparison and for messages."""
    leaves, rebuild = flatten(tree)
    return rebuild(["*"] * len(leaves))
