"""Mutants of what a tape has, as a table: hooks, retained gradients, modes, versions, backward passes.

PyTorch's verbs are wrong, and the reference engine says what is expected.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from workshop.programs import call_faults as f
from workshop.programs.call_faults import Where
from workshop.programs.program_mutant import ProgramMutant, by_verbs
from workshop.programs.wrong_verbs import WrongCall, WrongVerbs

__all__ = ["mutants"]

Row = tuple[str, str, str, Where, Callable[[WrongCall], Any]]


def mutants() -> list[ProgramMutant]:
    """Those of the table."""
    return [
        ProgramMutant(
            f"tape:{what}", family, what, "torch", kinds, by_verbs(WrongVerbs(tuple(verbs.split()), where, instead))
        )
        for kinds, rows in ((("tape",), HOOKS + PASSES + MEMORY), (("writes",), CHECKPOINTS))
        for family, what, verbs, where, instead in rows
    ]


def _ignored(call: WrongCall) -> Any:
    """A hook whose result is ignored."""
    array, hook = call.args
    return call.given(array, lambda gradient: (hook(gradient), None)[1])


def _called_twice(call: WrongCall) -> Any:
    array, hook = call.args
    return call.given(array, lambda *given: (hook(*given), hook(*given))[1])


def _called_once(call: WrongCall) -> Any:
    array, hook = call.args
    calls: list[Any] = []

    def once(*given: Any) -> Any:
        calls.append(given)
        return hook(*given) if len(calls) == 1 else None

    return call.given(array, once)


def _doubled_again(call: WrongCall) -> Any:
    """A hook whose result is passed to it again."""
    array, hook = call.args

    def again(gradient: Any) -> Any:
        found = hook(gradient)
        return found if found is None else hook(found)

    return call.given(array, again)


def _on_the_base(call: WrongCall) -> Any:
    """A hook of a view on the array that is looked at."""
    array, hook = call.args
    return call.given(array._base, hook) if array._base.requires_grad else None


def _on_a_copy(call: WrongCall) -> Any:
    """What is hung on an array is hung on another with the same values."""
    return call.given(call.args[0] * 1.0, *call.args[1:])


def _out_of_place(call: WrongCall) -> Any:
    """The operation, whose result is not written."""
    copy = call.args[0].clone()
    return call.given(copy, *call.args[1:])


def _unseen(call: WrongCall) -> Any:
    """The write is not counted."""
    import torch

    with torch.autograd._unsafe_preserve_version_counter(call.args[0]):
        return call.done()


def _counted_twice(call: WrongCall) -> Any:
    found = call.done()
    call.args[0].data.mul_(1.0)
    torch_increment(call.args[0])
    return found


def torch_increment(x: Any) -> None:
    """Count a write that is none."""
    import torch

    torch.autograd.graph.increment_version(x)


def _with_data(call: WrongCall) -> Any:
    """A write that is not recorded."""
    import torch

    with torch.no_grad():
        return call.done()


def _copied(call: WrongCall) -> Any:
    """A result in new memory."""
    return call.done().clone()


def _then(change: Callable[[Any], Any]) -> Callable[[WrongCall], Any]:
    return lambda call: change(call.done())


def _recording(call: WrongCall) -> Any:
    """A mode that records."""
    import torch

    return torch.enable_grad()


def _no_mode(call: WrongCall) -> Any:
    """A mode that changes nothing."""
    import contextlib

    return contextlib.nullcontext()


def _never_left(call: WrongCall) -> Any:
    """A mode that is left only halfway: recording is on afterwards, also if it was off."""
    import torch

    class Mode:
        def __enter__(self) -> None:
            torch.set_grad_enabled(False)

        def __exit__(self, *error: object) -> None:
            torch.set_grad_enabled(True)

    return Mode()


def _accumulated(call: WrongCall) -> Any:
    """What is returned is also added into the gradient of each input that is a leaf."""
    found = call.done()
    for x, gradient in zip(call.args[1], found, strict=True):
        if x.is_leaf and gradient is not None:
            x.grad = gradient.detach() if x.grad is None else x.grad + gradient.detach()
    return found


def _overwritten(call: WrongCall) -> Any:
    """Earlier gradients of leaves are forgotten."""
    for x in _leaves(call.args[0]):
        x.grad = None
    return call.done()


def _leaves(output: Any) -> list[Any]:
    found, nodes = [], [output.grad_fn]
    while nodes:
        node = nodes.pop()
        if node is not None:
            found += [node.variable] if hasattr(node, "variable") else []
            nodes += [below for below, _ in node.next_functions]
    return found


def _to_all(call: WrongCall) -> Any:
    return call.right(*call.args, **{**call.options, "inputs": None})


def _has_inputs(call: WrongCall) -> bool:
    return call.options.get("inputs") is not None


def _kept(call: WrongCall) -> bool:
    return bool(call.options.get("retain_graph"))


def _option(name: str, value: bool) -> Where:
    return lambda call: call.options.get(name) is value


def _is_tracked(call: WrongCall) -> bool:
    return bool(call.args[0].requires_grad)


def _view_of_result(call: WrongCall) -> bool:
    return f.of_a_view(call) and call.args[0].requires_grad and call.args[0]._base.requires_grad


HOOKS: tuple[Row, ...] = (
    ("hooks", "a hook of a leaf is lost", "register_hook", f.of_leaf, f.nothing),
    ("hooks", "a hook of a view is lost", "register_hook", f.of_a_view, f.nothing),
    ("hooks", "a hook of a view is one of its base", "register_hook", _view_of_result, _on_the_base),
    ("hooks", "a hook of an array that was written is lost", "register_hook", f.of_written, f.nothing),
    ("hooks", "a hook is called twice", "register_hook", f.always, _called_twice),
    ("hooks", "a hook is called in the first pass alone", "register_hook", f.of_leaf, _called_once),
    ("hooks", "the result of a hook is ignored", "register_hook", f.always, _ignored),
    ("hooks", "the result of a hook of a leaf is ignored", "register_hook", f.of_leaf, _ignored),
    ("hooks", "the result of a hook is handed to it again", "register_hook", f.of_result, _doubled_again),
    ("hooks", "a hook is hung on a copy", "register_hook", f.of_result, _on_a_copy),
    ("hooks", "a hook of a node is lost", "register_node_hook", f.always, f.nothing),
    ("hooks", "a hook of a node is called twice", "register_node_hook", f.always, _called_twice),
    ("hooks", "a hook of the node of a view is lost", "register_node_hook", f.of_a_view, f.nothing),
    ("hooks", "a hook after accumulation is lost", "register_post_accumulate_hook", f.always, f.nothing),
    ("hooks", "a hook after accumulation runs twice", "register_post_accumulate_hook", f.always, _called_twice),
    ("hooks", "a hook after accumulation runs once", "register_post_accumulate_hook", f.always, _called_once),
    ("retain_grad", "retain_grad does nothing", "retain_gradient_", f.of_result, f.nothing),
    ("retain_grad", "retain_grad of a view does nothing", "retain_gradient_", f.of_a_view, f.nothing),
    ("retain_grad", "retain_grad of a written array does nothing", "retain_gradient_", f.of_written, f.nothing),
)
PASSES: tuple[Row, ...] = (
    ("passes", "backward forgets earlier gradients", "backward", f.always, _overwritten),
    ("passes", "backward ignores inputs", "backward", _has_inputs, _to_all),
    (
        "passes",
        "retain_graph is ignored",
        "backward",
        _option("retain_graph", True),
        f.in_turn(("retain_graph", False)),
    ),
    ("passes", "backward runs twice", "backward", _kept, f.twice),
    ("passes", "create_graph is ignored", "grad_of", _option("create_graph", True), f.in_turn(("create_graph", False))),
    (
        "passes",
        "create_graph is always on",
        "grad_of",
        _option("create_graph", False),
        f.in_turn(("create_graph", True)),
    ),
    ("passes", "grad adds into gradients of leaves", "grad_of", f.always, _accumulated),
    ("modes", "no_grad records", "no_grad", f.always, _recording),
    ("modes", "no_grad in a checkpoint records", "no_grad", f.within("checkpoint"), _recording),
    ("modes", "enable_grad does nothing", "enable_grad", f.always, _no_mode),
    ("modes", "no_grad is left with recording on", "no_grad", f.always, _never_left),
)
MEMORY: tuple[Row, ...] = (
    ("detach", "detach keeps the history", "detach", _is_tracked, lambda c: c.args[0].view_as(c.args[0])),
    ("detach", "detach copies", "detach", f.always, _copied),
    ("detach", "detach of a view keeps the history", "detach", f.of_a_view, lambda c: c.args[0].view_as(c.args[0])),
    ("detach", "detach_ does nothing", "detach_", f.of_result, f.nothing),
    ("detach", "detach_ of a view does nothing", "detach_", f.of_a_view, f.nothing),
    ("detach", "clone has no history", "clone", f.always, _then(lambda x: x.detach())),
    ("detach", "clone shares memory", "clone", f.always, lambda c: c.args[0].view_as(c.args[0])),
    ("versions", "an in-place operation is not counted", "operate_", f.always, _unseen),
    ("versions", "an in-place operation on a view is not counted", "operate_", f.of_a_view, _unseen),
    ("versions", "copy_ is not counted", "copy_", f.always, _unseen),
    ("versions", "copy_ is counted twice", "copy_", f.always, _counted_twice),
    ("versions", "an assignment to a row is not counted", "set_item_", f.always, _unseen),
    ("versions", "zero_ is not counted", "inplace_", f.always, _unseen),
    ("versions", "an operation in no_grad is not counted", "mul_ copy_", f.always, _unseen),
    ("versions", "a write by .data is counted", "data_of", f.always, lambda c: c.args[0].detach()),
    ("writes", "an in-place operation on a view is not recorded", "operate_", f.of_a_view, _with_data),
    ("writes", "an in-place operation with an alias is not recorded", "operate_ copy_", f.aliased, _with_data),
    ("writes", "copy_ is not recorded", "copy_", f.always, _with_data),
    ("writes", "an assignment to a row is not recorded", "set_item_", f.always, _with_data),
    ("writes", "zero_ is not recorded", "inplace_", f.always, _with_data),
    ("writes", "+= makes another array", "augment_", f.always, lambda c: c.args[0] + c.args[1]),
    ("writes", "an in-place operation makes another array", "operate_", f.always, _out_of_place),
    ("writes", "views are copies", "view_by", f.always, _copied),
    ("writes", "views of views are copies", "view_by", f.of_a_view, _copied),
    ("writes", "diagonals are copies", "view_by", lambda c: c.args[1] == "diagonal", _copied),
    ("custom rules", "mark_non_differentiable is ignored", "mark_non_differentiable_", f.always, lambda c: None),
    ("passes", "an unused leaf has the gradient zero", "gradient_of", f.of_leaf, lambda c: _zeros_for_none(c)),
    ("writes", "requires_grad_ does nothing", "require_grad_", f.always, f.nothing),
)
CHECKPOINTS: tuple[Row, ...] = (
    ("checkpoints", "a checkpoint loses its gradient", "checkpoint", f.always, lambda c: _checkpoint_without(c)),
    (
        "checkpoints",
        "a checkpoint that returns what was written has no gradient",
        "checkpoint",
        f.always,
        lambda c: _checkpoint_of_writes(c),
    ),
    (
        "writes",
        "an in-place activation raises an error in forward mode",
        "operate_",
        f.within("jvp"),
        lambda c: _internal_error(c),
    ),
    ("checkpoints", "operations in a checkpoint have half a derivative", "np.*", f.within("checkpoint"), f.scaled(0.5)),
    ("checkpoints", "writes in a checkpoint lose an operand", "operate_ copy_", f.within("checkpoint"), f.first_alone),
    ("checkpoints", "a detached array in a checkpoint keeps its history", "detach", f.within("checkpoint"), f.nothing),
    (
        "custom rules",
        "a custom function's backward is doubled",
        "custom_function",
        f.always,
        lambda c: _doubled_backward(c),
    ),
    ("custom rules", "a custom function's jvp is doubled", "custom_function", f.always, lambda c: _doubled_jvp(c)),
)


def _checkpoint_without(call: WrongCall) -> Any:
    run = call.done()
    return lambda *xs: run(*(call.ad.detach(x) for x in xs))


def _checkpoint_of_writes(call: WrongCall) -> Any:
    run = call.done()

    def checkpointed(*xs: Any) -> Any:
        found = run(*xs)
        return call.ad.detach(found) if found._version else found

    return checkpointed


def _internal_error(call: WrongCall) -> Any:
    if call.args[1] in ("relu", "leaky_relu", "hardtanh"):
        raise RuntimeError("INTERNAL ASSERT FAILED: forward derivative of an in-place form")
    return call.done()


def _zeros_for_none(call: WrongCall) -> Any:
    found, x = call.done(), call.args[0]
    return x.detach() * 0.0 if found is None and x.requires_grad else found


def _doubled_backward(call: WrongCall) -> Any:
    forward, backward, *rest = call.args
    return call.given(forward, lambda ctx, *given: backward(ctx, *given) * 2.0, *rest)


def _doubled_jvp(call: WrongCall) -> Any:
    *before, jvp = call.args
    return call.given(*before, lambda ctx, *given: jvp(ctx, *given) * 2.0) if len(before) == 3 else call.done()
