"""Real bugs that are combinations: the seeds whose programs show those that are present, mutants for the fixed ones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from workshop.programs import record

__all__ = ["BUGS", "Bug", "page"]

HEAD = """# Bugs, and the programs that show them

<!-- Written by `python -m workshop programs bugs` from `workshop/programs/bugs.py` and the record of mutants. -->

Real bugs of combinations, compilation, writes in place and custom rules, from a catalogue of upstream issues. One that is
present is shown by a generated program, of the kind and seed that is told. A fixed one is brought back by a mutant
(`python -m workshop programs mutants`), which does to verbs or to the reference engine what the bug did.
"""


@dataclass(frozen=True)
class Bug:
    """A bug: the mutant that brings it back; or the engine, kind, oracle and seed that show it; or why neither is."""

    id: str
    title: str
    mutant: str = ""
    engine: str = ""
    kind: str = ""
    seed: int = -1
    oracle: str = ""
    reason: str = ""


_PROGRAM = "No program is drawn with it: "
BUGS: tuple[Bug, ...] = (
    Bug("pt197867", "nested jacfwd through autograd.Function.jvp is zero", engine="torch_func", kind="mapped_writes", seed=76, oracle="forward_over_forward"),
    Bug("new_functionalize_nograd", "functionalize drops the gradient of what no_grad wrote", engine="torch:functionalize", kind="mapped_writes", seed=2, oracle="forward_is_reverse"),
    Bug("pt196459", "register_hook of a view ends the process after a write through an alias", engine="torch", kind="tape", seed=835, oracle="crash"),
    Bug("pt26546", "a checkpoint that ends in a write to a view has no gradient", "tape:a checkpoint that returns what was written has no gradient"),
    Bug("pt36383", "the same, for a parameter from outside", "tape:a checkpoint that returns what was written has no gradient"),
    Bug("pt85374", "a view and then a write in place have a wrong gradient", "reference:the base does not see what is written to a view"),
    Bug("pt117366", "retain_grad is lost after a write to a view", "reference:a kept gradient stays with what was overwritten"),
    Bug("pt85849", "retain_grad sees the gradient before hooks", "reference:a gradient is kept before hooks"),
    Bug("pt85535", "an in-place activation raises an internal error in forward mode", "tape:an in-place activation raises an error in forward mode"),
    Bug("pt197887b", "the check of versions is lost", "reference:a change of a saved value is not detected"),
    Bug("pt91468a", "retain_grad is lost", "tape:retain_grad does nothing"),
    Bug("pt91468b", "what a hook returns is ignored", "tape:the result of a hook is ignored"),
    Bug("hook_global_compile", "a hook is called another number of times", "tape:a hook is called twice"),
    Bug("pt176854", "detach_ does not clear requires_grad", "tape:detach_ does nothing"),
    Bug("pt136662", "of two additions to one column, one counts", "aliased:a view that was written is written again, reverse mode"),
    Bug("pt184113", "mark_dirty is lost on the original input", "reference:what a function changed keeps its history"),
    Bug("new_compile_detach_alias", "a write through detach is lost", "tape:detach copies"),
    Bug("compile_data_mut", "a write through .data is lost", "behaviours:torch:data_copies"),
    Bug("compile_unused_none", "an unused leaf has zeros for None", "tape:an unused leaf has the gradient zero"),
    Bug("pt118396", "mark_non_differentiable is ignored", "tape:mark_non_differentiable is ignored"),
    Bug("pt184528", "the derivative in a scan is wrong", "nested:scan in grad"),
    Bug("jx4173", "custom_vjp in a scan is wrong", "nested:custom_vjp in scan"),
    Bug("pt76185", "a Function that keeps an intermediate value", reason=_PROGRAM + "the documentation says not to."),
    Bug("pt58509", "gradgradcheck of such a Function", reason=_PROGRAM + "the documentation says not to."),
    Bug("pt197887", "inductor loses the check of versions", reason="Programs do not write between a compiled call and its backward."),
    Bug("pt115750", "a hook of a module that was compiled before", reason=_PROGRAM + "programs have no modules."),
    Bug("pt188084", "inductor writes into an expanded view", reason="Programs were not tried on inductor."),
    Bug("pt193279", "dynamo drops the backward of a Function under torch.func.grad", reason="Rules in programs are right, so to drop one changes nothing."),
    Bug("pt118396b", "dynamo ignores set_materialize_grads(False)", reason="Programs that have it (custom_unused) were right on torch:compile: two were tried."),
    Bug("pt193671", "the noise of rrelu under a checkpoint", reason=_PROGRAM + "operations in programs draw no numbers."),
    Bug("pt128264", "a Jacobian in inference mode is zero", reason="The reference engine gives zero too."),
    Bug("pt182842", "jvp of vmap of a stack of modules", reason=_PROGRAM + "programs have no modules."),
    Bug("pt2940", "a write that raises an error is done", reason=_PROGRAM + "programs are valid."),
    Bug("pt93776", "resize_ is not counted as a write", reason=_PROGRAM + "shapes of arrays do not change."),
    Bug("pt91280", "jvp of a Function with mark_dirty", reason=_PROGRAM + "a custom_dirty with a jvp."),
    Bug("pt116221", "hooks of saved tensors are ignored", reason="The hooks in programs change nothing, as what is saved is documented nowhere."),
    Bug("jx9159", "under vmap a cond computes both branches, with NaN", reason="Operations are drawn inside of their domains."),
    Bug("ckpt_rng_detach", "a checkpoint of a program that changes Python's state", reason=_PROGRAM + "programs are pure."),
)  # fmt: skip


def page() -> str:
    """The table as Markdown."""
    lines = list(map(_row, BUGS))
    shown = sum(found for found, _ in lines)
    return (
        "\n".join(
            [
                HEAD,
                f"{shown} of {len(BUGS)} are shown.\n",
                "| bug | shown by |",
                "|---|---|",
                *(line for _, line in lines),
            ]
        )
        + "\n"
    )


def _row(one: Bug) -> tuple[bool, str]:
    found, told = next(_told(one))
    return found, f"| {one.title} (`{one.id}`) | {told} |"


def _told(one: Bug) -> Iterator[tuple[bool, str]]:
    if one.engine:
        yield True, f"{one.kind} {one.seed} on {one.engine}, by `{one.oracle}`"
    if one.reason:
        yield False, f"none: {one.reason}"
    of = record.read().get(one.mutant)
    if of and of.signature:
        yield True, f"{of.kind} {of.seed} on {of.engine}: mutant `{one.mutant}`"
    yield False, f"not yet: mutant `{one.mutant}`"
