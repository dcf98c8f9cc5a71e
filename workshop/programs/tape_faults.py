"""Faults of verbs of the tape: hooks, modes, versions, backward passes, checkpoints, custom functions.

Each does in the place of a call what an engine with the fault would do.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from workshop.programs import call_faults as f
from workshop.programs.call_faults import Where
from workshop.wrong_adapter import WrongCall


def ignored(call: WrongCall) -> Any:
    """A hook whose result is ignored."""
    array, hook = call.args
    return call.run_with(array, lambda gradient: (hook(gradient), None)[1])


def called_twice(call: WrongCall) -> Any:
    array, hook = call.args
    return call.run_with(array, lambda *given: (hook(*given), hook(*given))[1])


def called_once(call: WrongCall) -> Any:
    array, hook = call.args
    # Per registration, and over all passes: a hook that is lost after the first pass is a real mistake.
    calls: list[Any] = []

    def once(*given: Any) -> Any:
        calls.append(given)
        return hook(*given) if len(calls) == 1 else None

    return call.run_with(array, once)


def doubled_again(call: WrongCall) -> Any:
    """A hook whose result is passed to it again."""
    array, hook = call.args

    def again(gradient: Any) -> Any:
        changed = hook(gradient)
        return changed if changed is None else hook(changed)

    return call.run_with(array, again)


def on_the_base(call: WrongCall) -> Any:
    """A hook of a view on the array that is looked at."""
    array, hook = call.args
    return call.run_with(array._base, hook) if array._base.requires_grad else None


def on_a_copy(call: WrongCall) -> Any:
    """A hook is registered on another array with the same values."""
    return call.run_with(call.args[0] * 1.0, *call.args[1:])


def out_of_place(call: WrongCall) -> Any:
    """The operation, whose result is not written."""
    # Whoever holds the array does not see the write.
    copy = call.args[0].clone()
    return call.run_with(copy, *call.args[1:])


def unseen(call: WrongCall) -> Any:
    """The write is not counted."""
    import torch

    # PyTorch's own way to hide a write from version counting.
    with torch.autograd._unsafe_preserve_version_counter(call.args[0]):
        return call.run()


def counted_twice(call: WrongCall) -> Any:
    result = call.run()
    # `.data` shares memory but not the counter, so the tensor's is advanced below.
    call.args[0].data.mul_(1.0)
    torch_increment(call.args[0])
    return result


def torch_increment(x: Any) -> None:
    """Count a write that is none."""
    import torch

    torch.autograd.graph.increment_version(x)


def with_data(call: WrongCall) -> Any:
    """A write that is not recorded."""
    import torch

    with torch.no_grad():
        return call.run()


def copied(call: WrongCall) -> Any:
    """A result in new memory."""
    return call.run().clone()


def then(change: Callable[[Any], Any]) -> Callable[[WrongCall], Any]:
    return lambda call: change(call.run())


def recording(call: WrongCall) -> Any:
    """A mode that records."""
    import torch

    return torch.enable_grad()


def no_mode(call: WrongCall) -> Any:
    """A mode that changes nothing."""
    import contextlib

    return contextlib.nullcontext()


def never_left(call: WrongCall) -> Any:
    """A mode that is left only halfway: recording is on afterwards, also if it was off."""
    import torch

    class Mode:
        def __enter__(self) -> None:
            # A class rather than no_grad(): that would restore the mode from before.
            torch.set_grad_enabled(False)

        def __exit__(self, *error: object) -> None:
            torch.set_grad_enabled(True)

    return Mode()


def accumulated(call: WrongCall) -> Any:
    """Gradients are also added into `.grad` of each input that is a leaf."""
    gradients = call.run()
    for x, gradient in zip(call.args[1], gradients, strict=True):
        if x.is_leaf and gradient is not None:
            x.grad = gradient.detach() if x.grad is None else x.grad + gradient.detach()
    return gradients


def overwritten(call: WrongCall) -> Any:
    """Earlier gradients of leaves are forgotten."""
    for x in leaves(call.args[0]):
        x.grad = None
    return call.run()


def leaves(output: Any) -> list[Any]:
    leaves_below, nodes = [], [output.grad_fn]
    while nodes:
        node = nodes.pop()
        if node is not None:
            leaves_below += [node.variable] if hasattr(node, "variable") else []
            # Leaves are the ends of the graph, whose AccumulateGrad nodes have the variable.
            nodes += [below for below, _ in node.next_functions]
    return leaves_below


def to_all(call: WrongCall) -> Any:
    return call.right(*call.args, **{**call.options, "inputs": None})


def has_inputs(call: WrongCall) -> bool:
    return call.options.get("inputs") is not None


def kept(call: WrongCall) -> bool:
    return bool(call.options.get("retain_graph"))


def option(name: str, value: bool) -> Where:
    return lambda call: call.options.get(name) is value


def is_tracked(call: WrongCall) -> bool:
    return bool(call.args[0].requires_grad)


def view_of_result(call: WrongCall) -> bool:
    return f.of_a_view(call) and call.args[0].requires_grad and call.args[0]._base.requires_grad


def checkpoint_without(call: WrongCall) -> Any:
    run = call.run()
    return lambda *xs: run(*(call.ad.detach(x) for x in xs))


def checkpoint_of_writes(call: WrongCall) -> Any:
    run = call.run()

    def checkpointed(*xs: Any) -> Any:
        result = run(*xs)
        return call.ad.detach(result) if result._version else result

    return checkpointed


def internal_error(call: WrongCall) -> Any:
    if call.args[1] in ("relu", "leaky_relu", "hardtanh"):
        raise RuntimeError("INTERNAL ASSERT FAILED: forward derivative of an in-place form")
    return call.run()


def zeros_for_none(call: WrongCall) -> Any:
    gradient, x = call.run(), call.args[0]
    return x.detach() * 0.0 if gradient is None and x.requires_grad else gradient


def doubled_backward(call: WrongCall) -> Any:
    forward, backward, *rest = call.args
    return call.run_with(forward, lambda ctx, *given: backward(ctx, *given) * 2.0, *rest)


def doubled_jvp(call: WrongCall) -> Any:
    *before, jvp = call.args
    return call.run_with(*before, lambda ctx, *given: jvp(ctx, *given) * 2.0) if len(before) == 3 else call.run()
