"""Mutants that lose or spoil a derivative in a mode, under a nesting, or for a kind of operand, as tables."""

from __future__ import annotations

from workshop.programs import call_faults as f
from workshop.programs.call_faults import Where
from workshop.programs.program_mutant import ProgramMutant, of_verbs
from workshop.wrong_adapter import WrongVerbs

ELEMENTWISE = tuple(f"np.{name}" for name in ("sin", "cos", "tanh", "exp", "square", "negative", "atan", "sinh"))
# By name, the verbs of a feature and the forms of which programs need one to reach it.
FEATURES: dict[str, tuple[str, ...]] = {
    "elementwise": ELEMENTWISE,
    "products": ("np.multiply", "np.divide", "np.matmul", "np.outer"),
    "reductions": ("np.mean", "np.prod", "np.logsumexp", "np.var"),
    "running sums": ("np.cumsum", "np.cumprod"),
    "joining": ("np.stack", "np.concat"),
    "rows by index": ("np.index_rows", "np.at_add"),
    "triangles": ("np.tril", "np.triu", "np.flip"),
    "softmax": ("np.softmax", "np.log_softmax"),
    "choices": ("np.where", "np.maximum", "np.minimum"),
}
MODES: dict[str, Where] = {
    # A verb inside of both modes is left right: that is what the nested modes below are for.
    "forward mode": f.all_of(f.within("jvp"), f.under_not("grad")),
    "reverse mode": f.all_of(f.within("grad"), f.under_not("jvp")),
    "reverse over reverse mode": f.within("grad", "grad"),
    "forward over reverse mode": f.within("jvp", "grad"),
}
# Features of memory: what they do with the operand that is written, or looked at.
WRITES: dict[str, tuple[tuple[str, ...], f.Instead]] = {
    "in-place operations": (("operate_",), f.first_alone),
    "copy_": (("copy_",), f.unread(1)),
    "assignment to a row": (("set_item_",), f.unread(2)),
    "views": (("view_by",), f.scaled(0.5)),
    "clone": (("clone",), f.scaled(0.5)),
}
# Pairs of an outer and an inner verb.
NESTED = (
    *(("grad", "vmap"), ("vmap", "grad"), ("jvp", "vmap"), ("vmap", "jvp"), ("vmap", "vmap"), ("grad", "jvp")),
    *(("grad", "vjp"), ("vmap", "vjp"), ("jvp", "vjp"), ("grad", "jacobian"), ("grad", "jacfwd"), ("vmap", "jacfwd")),
    *(("vmap", "jacobian"), ("jvp", "jacobian"), ("grad", "hessian"), ("vmap", "hessian"), ("jvp", "jacfwd")),
)
TRACED = (
    *(("grad", "scan"), ("vmap", "scan"), ("jvp", "scan"), ("grad", "cond"), ("vmap", "cond"), ("jit", "grad")),
    *(("grad", "jit"), ("vmap", "custom_vjp"), ("jvp", "custom_jvp"), ("grad", "fori_loop"), ("jvp", "while_loop")),
    *(("grad", "checkpoint"), ("vmap", "switch"), ("grad", "linearize"), ("scan", "custom_vjp")),
)


def _half_derivative(ad: object, result: object) -> object:
    # The value stays, and half of what depends on the input is taken away.
    constant = ad.detach(result)  # type: ignore[attr-defined]
    return constant + (result - constant) * 0.5


# What is wrong, the verbs, the calls that are wrong, and what they do instead.
Row = tuple[str, tuple[str, ...], Where, f.Instead]
ALIASED: tuple[Row, ...] = (
    ("one array in both operands", ("np.multiply", "np.add", "np.divide"), f.same_operand, f.unread(1)),
    ("one array in both factors of a matrix product", ("np.matmul",), f.same_operand, f.unread(0)),
    (
        "one array joined with itself",
        ("np.stack", "np.concat"),
        lambda c: c.args[0][0] is c.args[0][1],
        f.scaled(0.5),
    ),
    (
        "an array written by itself",
        ("operate_",),
        lambda c: len(c.args) > 2 and c.args[0] is c.args[2],
        f.unread(2),
    ),
    ("an array copied into itself", ("copy_",), f.same_operand, f.unread(1)),
    ("a view that is written", ("operate_",), f.of_a_view, f.first_alone),
    ("a view that is copied into", ("copy_",), f.of_a_view, f.unread(1)),
    ("an assignment to a row of a view", ("set_item_",), f.of_a_view, f.unread(2)),
    ("an operation of a view", ("np.*",), f.of_a_view, f.scaled(0.5)),
    ("an operation of an expanded array", ("np.*",), f.expanded, f.scaled(0.5)),
    ("an operation of an array that was written", ("np.*",), f.of_written, f.scaled(0.5)),
    ("a view of a view", ("view_by",), f.of_a_view, f.scaled(0.5)),
    ("a view of what was written", ("view_by",), f.of_written, f.scaled(0.5)),
    (
        "a view that was written is written again",
        ("operate_",),
        lambda c: f.of_a_view(c) and f.of_written(c),
        f.first_alone,
    ),
    ("operands that are broadcast", ("np.add", "np.multiply", "np.subtract"), f.broadcast, f.scaled(0.5)),
    ("an operand that is broadcast into what is written", ("operate_", "copy_"), f.broadcast, f.first_alone),
    ("two operands that share memory", ("np.add", "np.multiply", "np.subtract"), f.aliased, f.unread(0)),
)
ARGUMENTS: tuple[Row, ...] = (
    ("gradients by several arguments are exchanged", ("grad",), f.always, f.reversed_results),
    ("gradients in vmap are halved", ("grad",), f.within("vmap"), f.scaled_results(0.5)),
    ("gradients in gradients are halved", ("grad",), f.within("grad"), f.scaled_results(0.5)),
    ("Jacobians in vmap are halved", ("jacobian", "jacfwd"), f.within("vmap"), f.scaled_results(0.5)),
    ("tangents of vmap are halved", ("vmap",), f.within("jvp"), f.with_results(_half_derivative)),
    ("the gradient through vmap is halved", ("vmap",), f.within("grad"), f.with_results(_half_derivative)),
)


def mutants() -> list[ProgramMutant]:
    """The mutants of all tables."""
    return [*_in_one_mode(), *_nested(), *_aliased(), *_of_arguments()]


def _in_one_mode() -> list[ProgramMutant]:
    lost = [
        (f"the derivative of {feature} is lost in {mode}", f"lost:{feature}, {mode}", verbs, where, f.scaled(0.0))
        for feature, verbs in FEATURES.items()
        for mode, where in MODES.items()
    ]
    wrong = [
        (f"the derivative of {feature} is wrong in {mode}", f"lost:{feature}, {mode}", verbs, MODES[mode], instead)
        for feature, (verbs, instead) in WRITES.items()
        for mode in ("forward mode", "reverse mode")
    ]
    return [
        of_verbs(name, "torch", what, "one mode", "writes", WrongVerbs(verbs, where, instead))
        for what, name, verbs, where, instead in (*lost, *wrong)
    ]


def _nested() -> list[ProgramMutant]:
    return [
        of_verbs(
            f"nested:{inner} in {outer}",
            engine,
            f"the derivative of an operation is halved in {inner} inside of {outer}",
            "nesting",
            kind,
            WrongVerbs(("np.*",), f.within(outer, inner), f.scaled(0.5)),
            _forms(inner),
        )
        for engine, kind, pairs in (("torch_func", "function", NESTED), ("jax", "traced", TRACED))
        for outer, inner in pairs
    ]


def _forms(verb: str) -> str:
    """The forms of steps that use a verb."""
    # A form is named after its main verb; these use it under another name.
    several = {"vmap": "vmap_of_shared vmap_of_last_axes", "grad": "grad_of_second", "scan": "scan_of_each"}
    return f"{'while_loop_forward' if verb == 'while_loop' else verb} {several.get(verb, '')}"


def _aliased() -> list[ProgramMutant]:
    return [
        of_verbs(
            f"aliased:{what}, {mode}",
            "torch",
            f"{what}: the derivative is wrong in {mode}",
            "aliasing",
            "writes",
            WrongVerbs(verbs, f.all_of(MODES[mode], _guarded(where)), instead),
        )
        for what, verbs, where, instead in ALIASED
        for mode in ("forward mode", "reverse mode")
    ]


def _guarded(where: Where) -> Where:
    """Calls that are given arrays: others are not asked about."""
    # Conditions look at the first array, which calls for numbers do not have.
    return lambda call: any(hasattr(x, "shape") or isinstance(x, list) for x in call.args) and where(call)


def _of_arguments() -> list[ProgramMutant]:
    return [
        of_verbs(f"arguments:{what}", "torch_func", what, "arguments", "function", WrongVerbs(verbs, where, instead))
        for what, verbs, where, instead in ARGUMENTS
    ]
