"""PyTorch, with hooks, leaves and detaching changed so that its users would call it a bug."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from workshop.mutants.mutant import mutant, patched


@contextmanager
def _of_tensors(**changes: Callable[[Any], Any]) -> Iterator[None]:
    """Change methods of torch.Tensor."""
    import torch

    with ExitStack() as stack:
        for name, change in changes.items():
            stack.enter_context(patched(torch.Tensor, name, change))
        yield


@mutant("torch")
def torch_turns_the_order_of_hooks() -> Iterator[None]:
    """Hooks of a tensor run the last registered first.

    Models: a stack where a queue was meant.
    """

    def reversing(old: Any) -> Any:
        def register(x: Any, hook: Any) -> Any:
            handle = old(x, hook)
            hooks = x._backward_hooks
            for earlier in [key for key in hooks if key != handle.id]:
                hooks[earlier] = hooks.pop(earlier)
            return handle

        return register

    with _of_tensors(register_hook=reversing):
        yield


@mutant("torch")
def torch_ignores_what_hooks_return() -> Iterator[None]:
    """What a hook of a tensor returns is dropped.

    Models: hooks thought of as observers.
    """

    def register(old: Any) -> Any:
        def observed(x: Any, hook: Any) -> Any:
            def only_seen(gradient: Any) -> None:
                hook(gradient)

            return old(x, only_seen)

        return observed

    with _of_tensors(register_hook=register):
        yield


@mutant("torch")
def torch_keeps_removed_hooks() -> Iterator[None]:
    """A hook that was removed is still called.

    Models: a handle that forgot its table.
    """
    from torch.utils.hooks import RemovableHandle

    with patched(RemovableHandle, "remove", lambda old: lambda handle: None):
        yield


@mutant("torch")
def torch_calls_hooks_once() -> Iterator[None]:
    """A hook is called in the first backward only.

    Models: a hook that is consumed by its call.
    """

    def once(old: Any) -> Any:
        def register(x: Any, hook: Any) -> Any:
            left = [hook]
            return old(x, lambda gradient: left.pop()(gradient) if left else None)

        return register

    with _of_tensors(register_hook=once):
        yield


@mutant("torch")
def torch_does_not_retain_grad() -> Iterator[None]:
    """retain_grad() does nothing.

    Models: a wish that the engine never looks at.
    """
    with _of_tensors(retain_grad=lambda old: lambda x: None):
        yield


@mutant("torch")
def torch_detach_copies() -> Iterator[None]:
    """A detached tensor has memory of its own.

    Models: detach written as a copy, for safety.
    """
    with _of_tensors(detach=lambda old: lambda x: old(x).clone()):
        yield


@mutant("torch")
def torch_detach_keeps_the_history() -> Iterator[None]:
    """A detached tensor still requires grad.

    Models: a new name for the tensor, with the old node.
    """
    with _of_tensors(detach=lambda old: lambda x: x.view_as(x) if x.grad_fn is not None else old(x)):
        yield


@mutant("torch")
def torch_detaching_in_place_does_nothing() -> Iterator[None]:
    """detach_() leaves the tensor as it is.

    Models: an in-place form that forgot to write back.
    """
    with _of_tensors(detach_=lambda old: lambda x: x):
        yield


@mutant("torch")
def torch_clone_detaches() -> Iterator[None]:
    """A clone has no history.

    Models: a copy of the numbers alone.
    """
    with _of_tensors(clone=lambda old: lambda x, **options: old(x, **options).detach()):
        yield


@mutant("torch")
def torch_clone_shares_memory() -> Iterator[None]:
    """A clone shares the memory of what it is a clone of.

    Models: a copy on write that never copies.
    """
    with _of_tensors(clone=lambda old: lambda x, **options: x.view_as(x)):
        yield


@mutant("torch")
def torch_data_copies() -> Iterator[None]:
    """`.data` has memory of its own.

    Models: an accessor that was made safe.
    """
    import torch

    plain: Any = torch._C.TensorBase.data
    with _of_tensors(data=lambda old: property(lambda x: plain.__get__(x).clone())):
        yield


@mutant("torch")
def torch_ignores_requires_grad() -> Iterator[None]:
    """requires_grad_() changes nothing.

    Models: a flag set on a copy.
    """
    with _of_tensors(requires_grad_=lambda old: lambda x, flag=True: x):
        yield


@mutant("torch")
def torch_takes_everything_for_a_leaf() -> Iterator[None]:
    """Every tensor says that it is a leaf.

    Models: a leaf taken for a tensor that requires grad.
    """
    with _of_tensors(is_leaf=lambda old: property(lambda x: True)):
        yield


@mutant("torch")
def torch_zero_does_not_zero() -> Iterator[None]:
    """zero_() leaves the numbers as they are.

    Models: an optimizer's zero_grad that is a no-op, so that gradients of steps mix.
    """
    with _of_tensors(zero_=lambda old: lambda x: x):
        yield


@mutant("torch")
def torch_writes_to_leaves() -> Iterator[None]:
    """A leaf that requires grad may be written in place while recording.

    Models: the refusal dropped, so that the leaf's gradient is that of a value it no longer has.
    """
    import torch

    def writing(old: Any) -> Any:
        def write(x: Any, *given: Any, **named: Any) -> Any:
            if x.is_leaf and x.requires_grad:
                with torch.no_grad():
                    return old(x, *given, **named)
            return old(x, *given, **named)

        return write

    with _of_tensors(add_=writing, sub_=writing, mul_=writing, copy_=writing, sigmoid_=writing, __setitem__=writing):
        yield
