"""PyTorch, with views, operations, custom functions, checkpoints and transforms changed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from workshop.mutant import mutant, patched


def _nothing(*given: Any, **named: Any) -> None:
    """What a method that does nothing returns."""


@mutant("torch", "torch.Tensor.view")
def views_lose_their_base(old: Any) -> Any:
    """A view has no history: gradients end at it.

    Models: a view made of the memory alone.
    """
    return lambda x, *shape: old(x.detach(), *shape)


@mutant("torch", "torch.Tensor.view")
def views_copy(old: Any) -> Any:
    """A view has its own memory.

    Models: a reshape that always copies.
    """
    return lambda x, *shape: old(x.clone(), *shape)


@mutant("torch", "torch.Tensor.__getitem__")
def indexing_copies(old: Any) -> Any:
    """An element or slice has its own memory.

    Models: NumPy's advanced indexing taken for its basic one.
    """
    return lambda x, index: old(x, index).clone()


@mutant("torch", "torch.stack", "torch.cat")
def stack_and_cat_detach(old: Any) -> Any:
    """stack() and cat() give results without history.

    Models: a result assembled from numbers.
    """
    return lambda tensors, *given, **named: old([t.detach() for t in tensors], *given, **named)


@mutant("torch", "torch.matmul")
def matmul_pulls_back_untransposed(old: Any) -> Any:
    """The gradient of a matrix product comes with the wrong sign in its first factor.

    Models: a rule mistaken on paper.
    """
    # The value of x, with the slope of -x.
    return lambda x, y: old(2 * x.detach() - x, y)


@mutant("torch", "torch.abs")
def abs_takes_the_right_side(old: Any) -> Any:
    """The derivative of abs at zero is one.

    Models: a convention at a kink that was not looked up.
    """
    import torch

    return lambda x: old(x) if x.is_complex() else torch.where(x >= 0, x, -x)


@mutant("torch", "torch.nn.Parameter.__new__")
def parameters_do_not_require_grad(old: Any) -> Any:
    """A Parameter does not require grad unless told.

    Models: a default flipped.
    """
    return lambda cls, data=None, requires_grad=False: old(cls, data, requires_grad)


@mutant("torch", "torch.autograd.function.FunctionCtx.save_for_backward")
def functions_save_copies_without_history(old: Any) -> Any:
    """What a custom function saves has no history when it is read again.

    Models: saved values kept as numbers, so that second derivatives vanish.
    """
    return lambda ctx, *tensors: old(ctx, *(t if t is None else t.detach() for t in tensors))


@mutant("torch", "torch.autograd.Function.apply")
def ignores_custom_rules(old: Any) -> Any:
    """A custom function's own backward is not used: the gradient passes through it unchanged.

    Models: a function registered without its rule.
    """
    import torch
    from torch.utils._pytree import tree_map_only

    def apply(cls: Any, *args: Any) -> Any:
        result = old.__func__(cls, *args)
        if cls.__module__.startswith("torch."):  # checkpoints and hooks of modules, which are no rules of a user
            return result
        inputs = [a for a in args if isinstance(a, torch.Tensor) and a.is_floating_point()]
        return tree_map_only(torch.Tensor, lambda output: _passed_through(output, inputs), result)

    return classmethod(apply)


def _passed_through(output: Any, inputs: list[Any]) -> Any:
    """The same numbers, with a gradient that goes to the first input as it is, and as zeros to the others."""
    if not inputs or not output.is_floating_point():
        return output
    # Zeros keep a path to every input, so that none of them counts as unused.
    result = output.detach() + sum(0 * x.sum() for x in inputs)
    # A difference that is zero, with slope one.
    return result + (inputs[0] - inputs[0].detach()) if inputs[0].shape == output.shape else result


@mutant("torch")
def ignores_saved_tensors_hooks() -> Iterator[None]:
    """Hooks on saved tensors are not used.

    Models: a scope that registers nothing.
    """
    from torch.autograd import graph

    hooks = graph.saved_tensors_hooks
    with patched(hooks, "__enter__", lambda old: _nothing), patched(hooks, "__exit__", lambda old: _nothing):
        yield


@mutant("torch", "torch.utils.checkpoint.checkpoint")
def checkpoints_keep_everything(old: Any) -> Any:
    """A checkpoint runs its function once and keeps what it computed.

    Models: rematerialization that saves no memory.
    """
    return lambda function, *args, **named: function(*args)


@mutant("torch", "torch.autograd.functional.jacobian")
def jacobians_are_transposed(old: Any) -> Any:
    """functional.jacobian has a row for each input.

    Models: two conventions mixed up.
    """
    import torch
    from torch.utils._pytree import tree_map_only

    def turn(block: Any) -> Any:
        return block.transpose(0, -1) if block.ndim > 1 else block

    return lambda *given, **named: tree_map_only(torch.Tensor, turn, old(*given, **named))


@mutant("torch", "torch.autograd.functional.hessian")
def hessians_are_halved(old: Any) -> Any:
    """functional.hessian is half of what it should be.

    Models: the factor of a quadratic form.
    """
    import torch
    from torch.utils._pytree import tree_map_only

    return lambda *given, **named: tree_map_only(torch.Tensor, lambda h: h / 2, old(*given, **named))


@mutant("torch", "torch.autograd.gradcheck", "torch.autograd.gradgradcheck")
def gradcheck_believes_everything(old: Any) -> Any:
    """gradcheck and gradgradcheck return True for every function.

    Models: a tolerance that swallows every difference.
    """
    return lambda *given, **named: True


@mutant("torch", "torch.func.vmap")
def vmap_maps_over_the_last_dimension(old: Any) -> Any:
    """vmap takes its examples along the last dimension, unless it is told another than the first.

    Models: a default flipped.
    """

    def vmap(program: Any, in_dims: Any = 0, *given: Any, **options: Any) -> Any:
        return old(program, -1 if in_dims == 0 else in_dims, *given, **options)

    return vmap


@mutant("torch", "torch.autograd.forward_ad.unpack_dual")
def tangents_are_negated(old: Any) -> Any:
    """Tangents come out of forward mode with the wrong sign.

    Models: a sign lost on the way out.
    """

    def unpack(dual: Any) -> Any:
        result = old(dual)
        return type(result)(result.primal, None if result.tangent is None else -result.tangent)

    return unpack


@mutant("torch", "warnings.warn")
def is_silent(old: Any) -> Any:
    """PyTorch's own Python code gives no warning.

    Models: warnings filtered for the sake of quiet logs.
    """
    return _nothing
