"""PyTorch, with hooks, leaves and detaching changed so that its users would call it a bug."""

from __future__ import annotations

from typing import Any

from workshop.mutant import mutant


@mutant("torch", "torch.Tensor.register_hook")
def reverses_the_order_of_hooks(old: Any) -> Any:
    """Hooks of a tensor run the last registered first.

    Models: a stack where a queue was meant.
    """

    def register(x: Any, hook: Any) -> Any:
        handle = old(x, hook)
        hooks = x._backward_hooks
        # Hooks run in the order of the dictionary: what is put back goes behind the new one.
        for earlier in [key for key in hooks if key != handle.id]:
            hooks[earlier] = hooks.pop(earlier)
        return handle

    return register


@mutant("torch", "torch.Tensor.register_hook")
def ignores_what_hooks_return(old: Any) -> Any:
    """What a hook of a tensor returns is dropped.

    Models: hooks thought of as observers.
    """

    def observed(x: Any, hook: Any) -> Any:
        def only_seen(gradient: Any) -> None:
            hook(gradient)

        return old(x, only_seen)

    return observed


@mutant("torch", "torch.utils.hooks.RemovableHandle.remove")
def keeps_removed_hooks(old: Any) -> Any:
    """A hook that was removed is still called.

    Models: a handle that forgot its table.
    """
    return lambda handle: None


@mutant("torch", "torch.Tensor.register_hook")
def calls_hooks_once(old: Any) -> Any:
    """A hook is called in the first backward only.

    Models: a hook that is consumed by its call.
    """

    def register(x: Any, hook: Any) -> Any:
        left = [hook]
        return old(x, lambda gradient: left.pop()(gradient) if left else None)

    return register


@mutant("torch", "torch.Tensor.retain_grad")
def does_not_retain_grad(old: Any) -> Any:
    """retain_grad() does nothing.

    Models: a wish that the engine never looks at.
    """
    return lambda x: None


@mutant("torch", "torch.Tensor.detach")
def detach_copies(old: Any) -> Any:
    """A detached tensor has its own memory.

    Models: detach written as a copy, for safety.
    """
    return lambda x: old(x).clone()


@mutant("torch", "torch.Tensor.detach")
def detach_keeps_the_history(old: Any) -> Any:
    """A detached tensor still requires grad.

    Models: a new name for the tensor, with the old node.
    """
    return lambda x: x.view_as(x) if x.grad_fn is not None else old(x)


@mutant("torch", "torch.Tensor.detach_")
def detaching_in_place_does_nothing(old: Any) -> Any:
    """detach_() leaves the tensor as it is.

    Models: an in-place form that forgot to write back.
    """
    return lambda x: x


@mutant("torch", "torch.Tensor.clone")
def clone_detaches(old: Any) -> Any:
    """A clone has no history.

    Models: a copy of the numbers alone.
    """
    return lambda x, **options: old(x, **options).detach()


@mutant("torch", "torch.Tensor.clone")
def clone_shares_memory(old: Any) -> Any:
    """A clone shares the memory of what it is a clone of.

    Models: a copy on write that never copies.
    """
    return lambda x, **options: x.view_as(x)


@mutant("torch", "torch.Tensor.data")
def data_copies(old: Any) -> Any:
    """`.data` has its own memory.

    Models: an accessor that was made safe.
    """
    import torch

    plain: Any = torch._C.TensorBase.data
    return property(lambda x: plain.__get__(x).clone())


@mutant("torch", "torch.Tensor.requires_grad_")
def ignores_requires_grad(old: Any) -> Any:
    """requires_grad_() changes nothing.

    Models: a flag set on a copy.
    """
    return lambda x, flag=True: x


@mutant("torch", "torch.Tensor.is_leaf")
def takes_everything_for_a_leaf(old: Any) -> Any:
    """Every tensor says that it is a leaf.

    Models: a leaf taken for a tensor that requires grad.
    """
    return property(lambda x: True)


@mutant("torch", "torch.Tensor.zero_")
def zero_does_not_zero(old: Any) -> Any:
    """zero_() leaves the numbers as they are.

    Models: an optimizer's zero_grad that is a no-op, so that gradients of steps mix.
    """
    return lambda x: x


@mutant(
    "torch",
    "torch.Tensor.add_",
    "torch.Tensor.sub_",
    "torch.Tensor.mul_",
    "torch.Tensor.copy_",
    "torch.Tensor.sigmoid_",
    "torch.Tensor.__setitem__",
)
def writes_to_leaves(old: Any) -> Any:
    """A leaf that requires grad may be written in place while recording.

    Models: the error dropped, so that the leaf's gradient is that of a value it no longer has.
    """
    import torch

    def write(x: Any, *given: Any, **named: Any) -> Any:
        if x.is_leaf and x.requires_grad:
            with torch.no_grad():
                return old(x, *given, **named)
        return old(x, *given, **named)

    return write
