"""The absences that several engines share: each with page, probe, and what to write instead."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.protocol import Absence, Probe, verbs_of

# A page, a probe, and a line of native code, if there is one.
Proof = tuple[str, Probe] | tuple[str, Probe, str]


def operations(names: str) -> tuple[str, ...]:
    """The features of these operations of `ad.np`."""
    return tuple(f"np.{name}" for name in names.split())


def shared(proofs: Mapping[str, Proof]) -> tuple[Absence, ...]:
    """The named absences of this file, in its order: from the general to the particular."""
    return tuple(Absence(*ABSENCES[name], *proofs[name]) for name in ABSENCES if name in proofs)


# The features, and why a transform of programs, or an engine that runs Python, lacks them.
ABSENCES: dict[str, tuple[tuple[str, ...], str]] = {
    "leaf": (("leaf", "is_leaf"), "No array is a leaf: the arguments of a transform say what is differentiated."),
    "flag": (
        ("requires_grad", "require_grad_", "set_requires_grad_"),
        "An array has no requires_grad flag to read or set: the arguments of a transform say what is differentiated.",
    ),
    "backward": (
        ("backward", "backward_of", "gradient_of"),
        "No array stores a gradient or a history: a transform takes a program and returns its gradients.",
    ),
    "grad": (("grad_of",), "A gradient is asked of a program, not of an output that is there already."),
    "stored": (
        ("set_gradient_", "delete_gradient_", "zero_gradient_", "gradient_dtype_of", "set_gradient_dtype_"),
        "No gradient is stored, and so none accumulates: add up what a transform returns.",
    ),
    "cotangent": (
        ("backward.gradient", "backward_of.gradients", "grad_of.gradients"),
        "The cotangent of an output is an argument of the pullback that vjp returns.",
    ),
    "chosen": (("backward.inputs", "backward_of.inputs"), "Which arguments have gradients is said to the transform."),
    "freed": (
        ("backward.retain_graph", "backward_of.retain_graph", "grad_of.retain_graph"),
        "There is no graph to retain: nothing is freed, and a pullback can be called again.",
    ),
    "again": (
        ("backward.create_graph", "backward_of.create_graph", "grad_of.create_graph"),
        "A gradient is a function of its arguments, and is differentiated by another transform around it.",
    ),
    "unused": (
        ("grad_of.allow_unused", "grad_of.materialize_grads"),
        "The gradient of an argument that the output does not depend on is zero, and never None.",
    ),
    "inner": (
        ("retain_gradient_", "retains_gradient"),
        "An intermediate value stores no gradient: add an argument of zeros to it, and differentiate by that.",
    ),
    "checked": (
        ("gradcheck", "gradgradcheck"),
        "There are no leaves to check the gradients of: a program and its point are given.",
    ),
    "graph": (verbs_of("Graph"), "There is no graph behind an array: what a transform records lives in its tracers."),
    "views": (
        ("view", "view_by", "shares_memory", "strides_of", "new_array"),
        "A program's arrays share no memory that can be written, so there are no views.",
    ),
    "data": (
        ("data_of", "detach_", "array_from", "numpy_of.force"),
        "No array shares its memory with a copy outside of the record, as `data` does.",
    ),
    "inplace": (
        (
            *("add_", "sub_", "mul_", "copy_", "inplace_", "write_out_"),
            *("operate_", "operate_out_", "functionalize"),
        ),
        "A program cannot write to its arrays in place: an update makes a new array.",
    ),
    "element": (("set_item_",), "An element is not assigned: an update makes a new array."),
    "version": (("version_of", "increment_version_"), "There is no version counter, as nothing is written in place."),
    "modes": (
        ("no_grad", "enable_grad", "set_grad_enabled", "decorated_by", "is_recording"),
        "There is no grad mode: what runs under a transform is traced, and nothing else.",
    ),
    "autocast": (("autocast",), "No mode chooses a dtype: operations compute in those of their operands."),
    "inference": (
        ("inference_mode", "is_inference_mode", "is_inference"),
        "There is no inference mode: what runs outside of transforms is never recorded.",
    ),
    "duals": (
        verbs_of("ForwardMode"),
        "Arrays carry no tangent: forward mode takes the program, its primals and its tangents in one call.",
    ),
    "jacobians": (
        ("functional.jacobian", "functional.hessian"),
        "A transform returns the function that computes the Jacobian at a point; no call takes program and point.",
    ),
    "products": (
        ("functional.vjp", "functional.jvp", "functional.vhp", "functional.hvp", "jvp.strict"),
        "Products with a Jacobian or Hessian are written with transforms, which have no flag `strict`.",
    ),
    "modules": (
        tuple(verb for verb in verbs_of("Modules") if verb != "zero_gradients_"),
        "A model is a function of its parameters: no object owns them.",
    ),
    "optimizers": (
        (*verbs_of("Optimizers"), "zero_gradients_"),
        "No optimizer writes to parameters in place: a step returns new ones.",
    ),
    "functions": (
        verbs_of("CustomFunctions"),
        "Custom rules share no context object: they are given what they need as arguments.",
    ),
    "hooks": (
        verbs_of("Hooks"),
        "There is nothing to register a hook on: a custom rule within the program sees the cotangent.",
    ),
    "saved": (
        verbs_of("SavedTensors"),
        "Values are not packed and freed per operation: a pullback owns what it needs for as long as it lives.",
    ),
    "legacy": (
        verbs_of("LegacyNames"),
        "These are old names of the tape's array type: a program is given tracers.",
    ),
    "control": (
        verbs_of("ControlFlow"),
        "Python's own control flow runs, and what it ran is differentiated: no operation replaces it.",
    ),
    "callbacks": (
        verbs_of("Callbacks"),
        "A program runs as Python: there is no compiled trace from which it would have to be called back.",
    ),
}
