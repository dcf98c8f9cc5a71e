"""PyTorch's function transforms, with gradients, auxiliary results and chosen arguments changed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from workshop.mutant import mutant, patched


@mutant("torch_func", "torch.func.grad")
def writes_captured_arrays(old: Any) -> Any:
    """A program under grad() may write into an array that it was not given; its gradient is then zero.

    Models: captured values taken for constants, and constants not guarded.
    """
    import torch

    def grad(program: Any, *options: Any) -> Any:
        def gradient(*args: Any, **named: Any) -> Any:
            try:
                return old(program, *options)(*args, **named)
            except RuntimeError as error:
                # Only this error is dropped; any other is the program's.
                if "captured" not in str(error):
                    raise
                program(*args, **named)
                return torch.zeros_like(args[0])

        return gradient

    return grad


@mutant("torch_func")
def heeds_no_grad_outside() -> Iterator[None]:
    """A gradient that is taken in no-grad mode is zero.

    Models: a transform that works in the modes of its caller.
    """
    import torch
    from torch._functorch import eager_transforms

    # The transform switches recording on before it asks for gradients: the caller's mode is noted on the way in.
    was_recording = [True]

    def heeding(old: Any) -> Any:
        def gradients(outputs: Any, inputs: Any, *given: Any, **options: Any) -> Any:
            if was_recording[-1]:
                return old(outputs, inputs, *given, **options)
            return tuple(map(torch.zeros_like, inputs))

        return gradients

    def noting(old: Any) -> Any:
        def noted(*given: Any) -> Any:
            was_recording.append(torch.is_grad_enabled())
            try:
                return old(*given)
            finally:
                was_recording.pop()

        return noted

    with (
        patched(eager_transforms, "_autograd_grad", heeding),
        patched(eager_transforms, "grad_and_value_impl", noting),
    ):
        yield


@mutant("torch_func", "torch._functorch.eager_transforms._autograd_grad")
def differentiates_once(old: Any) -> Any:
    """The gradient that grad() gives is a constant to a transform around it.

    Models: a backward pass that is not itself recorded.
    """
    return lambda *given, create_graph=True, **options: old(*given, create_graph=False, **options)


@mutant("torch_func", "torch._functorch.eager_transforms.grad_impl")
def loses_what_is_auxiliary(old: Any) -> Any:
    """grad(has_aux=True) gives None in the place of the auxiliary result.

    Models: a result taken out of the program's output, and not handed on.
    """

    def grad(program: Any, chosen: Any, has_aux: bool, *args: Any) -> Any:
        result = old(program, chosen, has_aux, *args)
        return (result[0], None) if has_aux else result

    return grad


@mutant("torch_func", "torch.func.grad_and_value")
def swaps_value_and_auxiliary(old: Any) -> Any:
    """grad_and_value(has_aux=True) gives the auxiliary result before the value.

    Models: a pair taken apart in one order, and put together in the other.
    """

    def grad_and_value(program: Any, argnums: Any = 0, has_aux: bool = False) -> Any:
        both = old(program, argnums, has_aux)
        return (lambda *args: _turned(*both(*args))) if has_aux else both

    return grad_and_value


def _turned(gradient: Any, beside: Any) -> Any:
    return gradient, beside[::-1]


@mutant("torch_func", "torch._functorch.eager_transforms._slice_argnums")
def sorts_chosen_arguments(old: Any) -> Any:
    """The gradients for argnums=(1, 0) come in the order of the arguments.

    Models: a selection kept as a set.
    """

    def slice_argnums(args: Any, argnums: Any, **options: Any) -> Any:
        return old(args, tuple(sorted(argnums)) if isinstance(argnums, tuple) else argnums, **options)

    return slice_argnums


@mutant("torch_func", "torch._functorch.eager_transforms._validate_and_wrap_argnum")
def counts_arguments_from_the_end(old: Any) -> Any:
    """argnums=0 is the last argument.

    Models: a stack of arguments that is read from its top.
    """
    return lambda argnum, count: count - 1 - old(argnum, count)


@mutant("torch_func")
def leaves_inputs_unwritten() -> Iterator[None]:
    """A functionalized program does not write its inputs.

    Models: mutations removed, and not made up for at the end.
    """
    from torch._functorch import eager_transforms

    making_up = "_propagate_functional_input_mutation"
    with patched(eager_transforms, making_up, lambda old: lambda unwrapped, wrapped: None):
        yield


@mutant("torch_func", "torch.func.functionalize")
def functionalizes_to_constants(old: Any) -> Any:
    """The result of a functionalized program has no derivative.

    Models: values taken out of their wrappers below the level that records.
    """
    import torch
    from torch.utils._pytree import tree_map_only

    def functionalize(program: Any, **options: Any) -> Any:
        rewritten = old(program, **options)
        return lambda *args: tree_map_only(torch.Tensor, torch.Tensor.detach, rewritten(*args))

    return functionalize
