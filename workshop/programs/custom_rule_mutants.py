"""Mutants of custom rules, of what they save, and of guards of a domain, as a table."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

from workshop.programs import call_faults as f
from workshop.programs.call_faults import Where
from workshop.programs.program_mutant import ProgramMutant, of_verbs
from workshop.wrong_adapter import WrongCall, WrongVerbs


def mutants() -> list[ProgramMutant]:
    """The mutants of TABLE."""
    return [
        of_verbs(
            f"rules:{what}", engine, what, "custom rules", KINDS[engine], WrongVerbs((verb,), where, instead), forms
        )
        for what, engine, forms, verb, where, instead in TABLE
    ]


def _without_backward(call: WrongCall) -> Any:
    """The function without its rules: it is differentiated as it is written."""
    return call.args[0]


def _without_rule(call: WrongCall) -> Any:
    """The same of a function whose forward returns what it keeps, too."""
    return lambda *xs: call.args[0](*xs)[0]


def _captured(call: WrongCall) -> Any:
    raise RuntimeError("an in-place operation would mutate a captured Tensor")


def _done_with_an_error(call: WrongCall) -> Any:
    """The array is changed before the error is raised."""
    try:
        return call.run()
    except RuntimeError:
        # Past the tape, so that only the value shows what the failed write left behind.
        call.args[0].data.add_(1.0)
        raise


def _both_branches(call: WrongCall) -> Any:
    """Both branches are computed, and one of the results is chosen."""
    condition, this, other, *xs = call.args
    return call.ad.np.where(condition, this(*xs), other(*xs))


def _unhooked(call: WrongCall) -> Any:
    return nullcontext()


KINDS = {"torch": "rules", "torch_func": "rules", "jax": "traced_rules"}
# What is wrong, the engine, the forms that reach it, the verb, the calls that are wrong, and what they do instead.
Row = tuple[str, str, str, str, Where, Callable[[WrongCall], Any]]
TABLE: tuple[Row, ...] = (
    (
        "the backward of a function is dropped",
        *("torch_func", "rounded_function", "custom_function", f.within("grad"), _without_backward),
    ),
    (
        "a function that changes its argument raises an error in forward mode",
        *("torch", "doubled_in_place", "mul_", f.within("jvp", "custom_function"), _captured),
    ),
    ("hooks of saved tensors are ignored", "torch", "rule_with_hooks", "saved_tensors_hooks", f.always, _unhooked),
    ("a write that raises an error is done", "torch", "refused_write", "add_", f.always, _done_with_an_error),
    # Two forms use scan, under different names.
    (
        "a custom_vjp in a scan loses its rule",
        *("jax", "scan scan_of_each", "custom_vjp", f.within("scan"), _without_rule),
    ),
    ("a cond under vmap computes both branches", "jax", "guarded_gradients", "cond", f.within("vmap"), _both_branches),
)
