"""PyTorch's function transforms, with Jacobians and the tangents behind them changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any

from workshop.mutant import mutant, patched

Bases = Callable[[list[Any], int, int | None], list[Any]]


def _chunks(change: Bases) -> AbstractContextManager[None]:
    """Change the pieces of the identity matrix that a Jacobian is computed from: given with the rows, and the size."""
    from torch._functorch import eager_transforms

    def changed(old: Any) -> Any:
        def bases(tensors: Any, numels: Any, chunk_size: int | None = None) -> Iterator[Any]:
            yield from change(list(old(tensors, numels, chunk_size)), sum(numels), chunk_size)

        return bases

    return patched(eager_transforms, "_chunked_standard_basis_for_", changed)


@mutant("torch_func")
def drops_the_rest_of_the_rows() -> Iterator[None]:
    """When the rows of a Jacobian do not divide by the chunk size, those of the last chunk are zero.

    Models: whole chunks counted, and the rest forgotten.
    """

    def without_rest(bases: list[Any], rows: int, size: int | None) -> list[Any]:
        if size is None or size >= rows or rows % size == 0:
            return bases
        return [*bases[:-1], tuple(0 * part for part in bases[-1])]

    with _chunks(without_rest):
        yield


@mutant("torch_func")
def mixes_up_chunks() -> Iterator[None]:
    """The rows of a Jacobian that is computed in chunks of one are in the opposite order.

    Models: results put together as they come, and not where they belong.
    """
    with _chunks(lambda bases, rows, size: bases[::-1] if size == 1 else bases):
        yield


@mutant("torch_func")
def misplaces_a_chunk_that_is_too_large() -> Iterator[None]:
    """A chunk size above the number of rows shifts the rows of a Jacobian.

    Models: an offset counted from the size that was asked for, and not from the rows that there are.
    """

    def shifted(bases: list[Any], rows: int, size: int | None) -> list[Any]:
        if size is None or size <= rows:
            return bases
        return [tuple(part.roll(size - rows, 0) for part in basis) for basis in bases]

    with _chunks(shifted):
        yield


@mutant("torch_func", "torch.func.jacrev")
def takes_no_rows_for_all(old: Any) -> Any:
    """A chunk size of zero counts as none.

    Models: a number asked whether it is true, to learn whether it was given.
    """

    def jacrev(program: Any, *given: Any, chunk_size: int | None = None, **options: Any) -> Any:
        return old(program, *given, chunk_size=chunk_size or None, **options)

    return jacrev


@mutant("torch_func")
def reverse_in_forward_is_constant() -> Iterator[None]:
    """A gradient or pullback within forward mode does not depend on its arguments.

    Models: what reverse mode saves kept without its tangent.
    """
    import torch
    from torch._functorch import eager_transforms

    def constant(value: Any) -> Any:
        # A count of the forward levels that are open: outside of forward mode nothing changes.
        return value.detach() if isinstance(value, torch.Tensor) and eager_transforms.JVP_NESTING else value

    def vjp(old: Any) -> Any:
        return lambda program, *primals, **options: old(program, *map(constant, primals), **options)

    def gradient(old: Any) -> Any:
        return lambda program, chosen, aux, args, named: old(program, chosen, aux, tuple(map(constant, args)), named)

    with (
        patched(eager_transforms, "_vjp_with_argnums", vjp),
        patched(eager_transforms, "grad_and_value_impl", gradient),
    ):
        yield


@mutant("torch_func", "torch.func.jvp")
def pushes_the_first_tangent_only(old: Any) -> Any:
    """Of the tangents that jvp() is given the first counts, and the others are zero.

    Models: a function of one argument generalised halfway.
    """
    import torch

    def jvp(program: Any, primals: Any, tangents: Any, **options: Any) -> Any:
        return old(program, primals, (tangents[0], *map(torch.zeros_like, tangents[1:])), **options)

    return jvp


@mutant("torch_func", "torch._functorch.eager_transforms.safe_unpack_dual")
def is_never_strict(old: Any) -> Any:
    """jvp(strict=True) gives an output that does not depend on the input a tangent of zero.

    Models: a flag that is accepted and not handed on.
    """
    return lambda dual, strict: old(dual, False)


@mutant("torch_func", "torch.func.linearize")
def linearises_by_running_again(old: Any) -> Any:
    """The linear function of linearize() runs the program at each call.

    Models: the pushforward of forward mode taken for one that is linear.
    """
    import torch

    def linearize(program: Any, *primals: Any) -> Any:
        return program(*primals), lambda *tangents: torch.func.jvp(program, primals, tangents)[1]

    return linearize
