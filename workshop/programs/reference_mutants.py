"""Mutants inside of the reference engine, which PyTorch contradicts; and mutants of behaviours, for programs."""

from __future__ import annotations

import math
import pkgutil
from collections.abc import Callable
from contextlib import nullcontext
from importlib import import_module
from typing import Any

from workshop.mutant import Mutant, by_replacing, declared
from workshop.mutants import by_hand
from workshop.programs.program_mutant import ProgramMutant

# Kinds of programs: hooks, versions and passes need a tape; views and tangents need writes.
TAPE, WRITES, BOTH = ("tape",), ("writes",), ("tape", "writes")
# Mutants that behaviours kill, for whose verbs programs have steps, by engine. Left out is what valid programs cannot
# show: errors of wrong calls, and a graph that is kept although it may be freed.
OF_BEHAVIOURS: dict[str, dict[tuple[str, ...], str]] = {
    "torch": {
        TAPE: "reverses_the_order_of_hooks does_not_retain_grad data_copies ignores_requires_grad "
        "takes_everything_for_a_leaf overwrites_gradients always_frees_the_graph "
        "always_creates_a_graph backward_ignores_inputs ignores_custom_rules no_grad_always_turns_on",
        WRITES: "tangents_are_negated functions_save_copies_without_history stack_and_cat_detach clone_detaches",
    },
    "reference": {
        BOTH: "does_not_sum_what_was_broadcast pulls_back_to_the_first_argument_only shares_one_gradient",
        TAPE: "runs_nodes_too_early hands_hooks_no_gradient overwrites_gradients detach_copies "
        "reuses_the_buffers_of_gradients",
        WRITES: "pushes_tangents_with_the_wrong_sign pushes_one_tangent_of_several does_not_count_versions",
    },
}


def _skipped(old: Any) -> Any:
    return lambda *given, **named: None


def _uncounted(old: Any) -> Any:
    def store(self: Any, result: Any) -> None:
        # A write that is not counted goes undetected by saved tensors.
        before = self.version.value
        old(self, result)
        self.version.value = before

    return store


def _twice_counted(old: Any) -> Any:
    def store(self: Any, result: Any) -> None:
        old(self, result)
        self.version.value += 1

    return store


def _own_counter(old: Any) -> Any:
    """The result, or else the first argument, has a version counter."""

    def counted(first: Any, *given: Any, **named: Any) -> Any:
        made = old(first, *given, **named)
        made = first if made is None else made
        made.version = type(made.version)()
        return made

    return counted


def _without_tangents(old: Any) -> Any:
    return lambda target, result: target.store(result)


def _mean(old: Any) -> Any:
    def unbroadcast(g: Any, shape: Any, wanted: Any) -> Any:
        return old(g, shape, wanted) * (math.prod(wanted) / math.prod(shape))

    return unbroadcast


def _kept_before_hooks(old: Any) -> Any:
    def hooks(self: Any, node: Any, cotangents: list[Any]) -> None:
        given = list(cotangents)
        # The node's own order is hooks, then retained gradients: run it twice, each time with a half.
        retained, node.retained = node.retained, None
        old(self, node, cotangents)
        node.retained = retained
        tables, node.tensor_hooks = node.tensor_hooks, None
        old(self, node, given)
        node.tensor_hooks = tables

    return hooks


def _reused(old: Any) -> Any:
    """A tangent that may share memory with others."""
    return lambda tangent, result, given: tangent


def _same_target(old: Any) -> Any:
    """No copy of what is overwritten."""
    return lambda target: target.alias(target.edge())


def _first_only(old: Any) -> Any:
    """Of several cotangents of a value only the first is kept."""

    def receive(self: Any, edge: Any, cotangent: Any, sender: Any, index: int) -> None:
        slots = self.received.get(edge[0])
        if slots is None or slots[edge[1]] is None:
            old(self, edge, cotangent, sender, index)

    return receive


def _twice_accumulated(old: Any) -> Any:
    def accumulate(self: Any, g: Any) -> None:
        if self._grad is not None:
            old(self, g)
        old(self, g)

    return accumulate


def _recorded(old: Any) -> Any:
    return lambda: nullcontext()


def _constant_backward(old: Any) -> Any:
    def pullback(self: Any, cotangents: Any, recording: bool) -> Any:
        gradients = old(self, cotangents, recording)
        return [r if not hasattr(r, "detach") else r.detach() for r in gradients]

    return pullback


def _unaliased(old: Any) -> Any:
    """Where several elements are one place in memory, one of them counts."""
    return lambda array: False


def _captured_first(old: Any) -> Any:
    def walk(self: Any, node: Any, cotangents: list[Any]) -> None:
        if node in self.capturing:
            # The list is changed in place by the hooks, and passed on by the caller.
            before = list(cotangents)
            old(self, node, cotangents)
            cotangents[:] = before
        else:
            old(self, node, cotangents)

    return walk


def _unlinked(old: Any) -> Any:
    """A view of a view is not one of the base."""

    def relate(view: Any, args: Any) -> None:
        if args[0].link is None:
            old(view, args)

    return relate


def _not_dirty(old: Any) -> Any:
    """An input that a custom function changed in place keeps its history."""
    return lambda ctx, index, value, recording: value


# Family, what is wrong, kinds of programs, the function, and what takes its place.
Row = tuple[str, str, tuple[str, ...], str, Callable[[Any], Any]]
TABLE: tuple[Row, ...] = (
    ("versions", "a write is not counted", TAPE, "core.tensor.Tensor.store", _uncounted),
    ("versions", "a write is counted twice", TAPE, "core.tensor.Tensor.store", _twice_counted),
    ("versions", "a view has another counter than its base", TAPE, "core.views.relate", _own_counter),
    ("versions", "an alias has another counter", TAPE, "core.tensor.Tensor.alias", _own_counter),
    ("versions", "a change of a saved value is not detected", WRITES, "core.tape.SavedTensor.check", _skipped),
    ("writes", "the base does not see what is written to a view", BOTH, "core.inplace.replace_region", _skipped),
    ("writes", "a view does not see what is written to its base", BOTH, "core.views.ViewLink.refresh", _skipped),
    ("writes", "a view does not see the tangent of its base", WRITES, "core.views.ViewLink.refresh_tangents", _skipped),
    ("writes", "a write does not change the tangent", WRITES, "core.inplace._write", _without_tangents),
    ("writes", "a view of a view is none of the base", BOTH, "core.views.relate", _unlinked),
    ("writes", "what is overwritten is not kept", WRITES, "core.inplace._snapshot", _same_target),
    ("writes", "tangents share memory", WRITES, "core.forward._unshared", _reused),
    ("writes", "a place that is looked at twice counts once", WRITES, "core.views.meets_itself", _unaliased),
    ("retain_grad", "a kept gradient stays with what was overwritten", TAPE, "core.inplace.move_retained", _skipped),
    ("retain_grad", "a gradient is kept before hooks", TAPE, "core.engine.Pass._tensor_hooks", _kept_before_hooks),
    (
        "hooks",
        "what a hook returns is not what is passed to `inputs`",
        TAPE,
        "core.engine.Pass._tensor_hooks",
        _captured_first,
    ),
    ("passes", "of several uses of a value one counts", BOTH, "core.engine.Pass._receive", _first_only),
    ("passes", "a second gradient is added twice", TAPE, "core.tensor.Tensor.accumulate", _twice_accumulated),
    ("passes", "a hook after accumulation is lost", TAPE, "core.hooks.run_post_accumulate", _skipped),
    ("passes", "what was broadcast has the mean of gradients", BOTH, "core.conform._unbroadcast", _mean),
    ("custom rules", "a function records its forward", BOTH, "autograd.function.no_grad", _recorded),
    (
        "custom rules",
        "a function's gradient is a constant",
        WRITES,
        "autograd.context.FunctionCtx.pullback",
        _constant_backward,
    ),
    ("custom rules", "what a function changed keeps its history", TAPE, "autograd.outputs._changed_input", _not_dirty),
)


def mutants() -> list[ProgramMutant]:
    """The mutants of TABLE and of OF_BEHAVIOURS."""
    return [*map(_of_row, TABLE), *_of_behaviours()]


def _of_row(row: Row) -> ProgramMutant:
    family, what, kinds, target, instead = row
    change = by_replacing((f"reference_engine.{target}",), instead)
    return ProgramMutant(f"reference:{what}", "reference", what, change, family, kinds=kinds, second="torch")


def _of_behaviours() -> list[ProgramMutant]:
    for module in pkgutil.iter_modules(by_hand.__path__, f"{by_hand.__name__}."):
        import_module(module.name)
    by_name = {mutant.name: mutant for mutant in declared()}
    return [
        _for_programs(by_name[f"{engine}:{name}"], kinds)
        for engine, by_kind in OF_BEHAVIOURS.items()
        for kinds, names in by_kind.items()
        for name in names.split()
    ]


def _for_programs(mutant: Mutant, kinds: tuple[str, ...]) -> ProgramMutant:
    second = "torch" if mutant.engine == "reference" else "reference"
    name, family = f"behaviours:{mutant.name}", "as for behaviours"
    return ProgramMutant(name, mutant.engine, mutant.what, mutant.change, family, kinds=kinds, second=second)
