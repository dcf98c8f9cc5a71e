"""PyTorch, with views, operations, custom functions, checkpoints and transforms changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from workshop.mutants.mutant import mutant, patched


@contextmanager
def _all(*changes: tuple[Any, str, Callable[[Any], Any]]) -> Iterator[None]:
    with ExitStack() as stack:
        for owner, name, change in changes:
            stack.enter_context(patched(owner, name, change))
        yield


def _nothing(*given: Any, **named: Any) -> None:
    """What a method that does nothing returns."""


@mutant("torch")
def torch_views_lose_their_base() -> Iterator[None]:
    """A view has no history: gradients end at it.

    Models: a view made of the memory alone.
    """
    import torch

    with patched(torch.Tensor, "view", lambda old: lambda x, *shape: old(x.detach(), *shape)):
        yield


@mutant("torch")
def torch_views_copy() -> Iterator[None]:
    """A view has memory of its own.

    Models: a reshape that always copies.
    """
    import torch

    with patched(torch.Tensor, "view", lambda old: lambda x, *shape: old(x.clone(), *shape)):
        yield


@mutant("torch")
def torch_indexing_copies() -> Iterator[None]:
    """An element or slice has memory of its own.

    Models: NumPy's advanced indexing taken for its basic one.
    """
    import torch

    with patched(torch.Tensor, "__getitem__", lambda old: lambda x, index: old(x, index).clone()):
        yield


@mutant("torch")
def torch_stack_and_cat_detach() -> Iterator[None]:
    """stack() and cat() give results without history.

    Models: a result assembled from numbers.
    """
    import torch

    def without(old: Any) -> Any:
        return lambda tensors, *given, **named: old([t.detach() for t in tensors], *given, **named)

    with _all((torch, "stack", without), (torch, "cat", without)):
        yield


@mutant("torch")
def torch_matmul_pulls_back_untransposed() -> Iterator[None]:
    """The gradient of a matrix product comes with the wrong sign in its first factor.

    Models: a rule mistaken on paper.
    """
    import torch

    def wrong(old: Any) -> Any:
        return lambda x, y: old(2 * x.detach() - x, y)

    with patched(torch, "matmul", wrong):
        yield


@mutant("torch")
def torch_abs_takes_the_right_side() -> Iterator[None]:
    """The derivative of abs at zero is one.

    Models: a convention at a kink that nobody looked up.
    """
    import torch

    def right(old: Any) -> Any:
        return lambda x: old(x) if x.is_complex() else torch.where(x >= 0, x, -x)

    with patched(torch, "abs", right):
        yield


@mutant("torch")
def torch_parameters_do_not_require_grad() -> Iterator[None]:
    """A Parameter does not require grad unless told.

    Models: a default flipped.
    """
    import torch

    def without(old: Any) -> Any:
        return lambda cls, data=None, requires_grad=False: old(cls, data, requires_grad)

    with patched(torch.nn.Parameter, "__new__", without):
        yield


@mutant("torch")
def torch_functions_save_copies_without_history() -> Iterator[None]:
    """What a custom function saves has no history when it is read again.

    Models: saved values kept as numbers, so that second derivatives vanish.
    """
    import torch

    def saving(old: Any) -> Any:
        return lambda ctx, *tensors: old(ctx, *(t if t is None else t.detach() for t in tensors))

    with patched(torch.autograd.function.FunctionCtx, "save_for_backward", saving):
        yield


@mutant("torch")
def torch_ignores_custom_rules() -> Iterator[None]:
    """A custom function's own backward is not used: the gradient passes through it unchanged.

    Models: a function registered without its rule.
    """
    import torch
    from torch.utils._pytree import tree_map_only

    def ignoring(old: Any) -> Any:
        def apply(cls: Any, *args: Any) -> Any:
            found = old.__func__(cls, *args)
            if cls.__module__.startswith("torch."):  # checkpoints and hooks of modules, which are no rules of a user
                return found
            inputs = [a for a in args if isinstance(a, torch.Tensor) and a.is_floating_point()]
            return tree_map_only(torch.Tensor, lambda output: _passed_through(output, inputs), found)

        return classmethod(apply)

    with patched(torch.autograd.Function, "apply", ignoring):
        yield


def _passed_through(output: Any, inputs: list[Any]) -> Any:
    """The same numbers, with a gradient that goes to the first input as it is, and as zeros to the others."""
    if not inputs or not output.is_floating_point():
        return output
    found = output.detach() + sum(0 * x.sum() for x in inputs)
    return found + (inputs[0] - inputs[0].detach()) if inputs[0].shape == output.shape else found


@mutant("torch")
def torch_ignores_saved_tensors_hooks() -> Iterator[None]:
    """Hooks on saved tensors are not used.

    Models: a scope that registers nothing.
    """
    hooks = "torch.autograd.graph"
    graph = __import__(hooks, fromlist=["saved_tensors_hooks"])
    with _all(
        (graph.saved_tensors_hooks, "__enter__", lambda old: _nothing),
        (graph.saved_tensors_hooks, "__exit__", lambda old: _nothing),
    ):
        yield


@mutant("torch")
def torch_checkpoints_keep_everything() -> Iterator[None]:
    """A checkpoint runs its function once and keeps what it computed.

    Models: rematerialization that saves no memory.
    """
    from torch.utils import checkpoint

    with patched(checkpoint, "checkpoint", lambda old: lambda function, *args, **named: function(*args)):
        yield


@mutant("torch")
def torch_jacobians_are_transposed() -> Iterator[None]:
    """functional.jacobian has a row for each input.

    Models: two conventions mixed up.
    """
    import torch
    from torch.autograd import functional
    from torch.utils._pytree import tree_map_only

    def turn(block: Any) -> Any:
        return block.transpose(0, -1) if block.ndim > 1 else block

    def turned(old: Any) -> Any:
        return lambda *given, **named: tree_map_only(torch.Tensor, turn, old(*given, **named))

    with patched(functional, "jacobian", turned):
        yield


@mutant("torch")
def torch_hessians_are_halved() -> Iterator[None]:
    """functional.hessian is half of what it should be.

    Models: the factor of a quadratic form.
    """
    import torch
    from torch.autograd import functional
    from torch.utils._pytree import tree_map_only

    def halved(old: Any) -> Any:
        return lambda *given, **named: tree_map_only(torch.Tensor, lambda h: h / 2, old(*given, **named))

    with patched(functional, "hessian", halved):
        yield


@mutant("torch")
def torch_gradcheck_believes_everything() -> Iterator[None]:
    """gradcheck and gradgradcheck return True for every function.

    Models: a tolerance that swallows every difference.
    """
    import torch

    def believe(old: Any) -> Any:
        return lambda *given, **named: True

    with _all((torch.autograd, "gradcheck", believe), (torch.autograd, "gradgradcheck", believe)):
        yield


@mutant("torch")
def torch_vmap_maps_over_the_last_dimension() -> Iterator[None]:
    """vmap takes its examples along the last dimension, unless it is told another than the first.

    Models: a default flipped.
    """
    import torch

    def last(old: Any) -> Any:
        def vmap(program: Any, in_dims: Any = 0, *given: Any, **options: Any) -> Any:
            return old(program, -1 if in_dims == 0 else in_dims, *given, **options)

        return vmap

    with patched(torch.func, "vmap", last):
        yield


@mutant("torch")
def torch_tangents_are_negated() -> Iterator[None]:
    """Tangents come out of forward mode with the wrong sign.

    Models: a sign lost on the way out.
    """
    from torch.autograd import forward_ad

    def turned(old: Any) -> Any:
        def unpack(dual: Any) -> Any:
            found = old(dual)
            return type(found)(found.primal, None if found.tangent is None else -found.tangent)

        return unpack

    with patched(forward_ad, "unpack_dual", turned):
        yield


@mutant("torch")
def torch_is_silent() -> Iterator[None]:
    """PyTorch's own Python code gives no warning.

    Models: warnings filtered for the sake of quiet logs.
    """
    import warnings

    def silent(old: Any) -> Any:
        def warn(message: Any, category: Any = UserWarning, *given: Any, **named: Any) -> None:
            named["stacklevel"] = named.get("stacklevel", 1) + 1

        return warn

    with patched(warnings, "warn", silent):
        yield
