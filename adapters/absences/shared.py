"""The absences that several engines share. Each is called with the page that says so there, and a probe."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeAlias

from conformance.protocol import Absence, verbs_of

Shared: TypeAlias = Callable[..., Absence]


def operations(names: str) -> tuple[str, ...]:
    """The features of these operations of `ad.np`."""
    return tuple(f"np.{name}" for name in names.split())


FLAGS: Shared = partial(
    Absence,
    ("leaf", "requires_grad", "require_grad_", "set_requires_grad_", "is_leaf"),
    "Arrays have no requires_grad flag: the arguments of a transform say what is differentiated.",
)
GRADIENTS: Shared = partial(
    Absence,
    (
        *("backward", "backward_of", "grad_of", "gradient_of", "set_gradient_", "delete_gradient_"),
        *("zero_gradient_", "retain_gradient_", "retains_gradient", "gradcheck"),
    ),
    "Arrays store no gradient and no history: a transform takes a program and returns its gradients.",
)
GRAPH: Shared = partial(
    Absence,
    verbs_of("Graph"),
    "There is no graph behind an array: what a transform records lives in the tracers of that run.",
)
HOOKS: Shared = partial(
    Absence,
    verbs_of("Hooks"),
    "There is nothing to register a hook on: a custom rule within the program sees the cotangent.",
)
LEGACY: Shared = partial(
    Absence, verbs_of("LegacyNames"), "These are old names of the tape's array type; here a program is given tracers."
)
IN_PLACE: Shared = partial(
    Absence,
    # Where an array cannot be written, Python's `x += y` binds the name to a new one.
    (*(verb for verb in verbs_of("InPlace") if verb != "augment_"), "detach_", "functionalize"),
    "A program cannot write to its arrays in place: an update makes a new array.",
)
VIEWS: Shared = partial(
    Absence,
    ("view", "view_by", "data_of", "shares_memory", "strides_of", "new_array"),
    "A program's arrays share no memory that can be written, so there are no views and no `data`.",
)
SAVED_TENSORS: Shared = partial(
    Absence,
    verbs_of("SavedTensors"),
    "Values are not packed and freed per operation: a pullback owns what it needs for as long as it lives.",
)
DUALS: Shared = partial(
    Absence,
    verbs_of("ForwardMode"),
    "Arrays carry no tangent: forward mode takes the program, its primals and its tangents in one call.",
)
CUSTOM_FUNCTIONS: Shared = partial(
    Absence,
    verbs_of("CustomFunctions"),
    "Custom rules share no context object: they are given what they need as arguments.",
)
MODULES: Shared = partial(
    Absence,
    verbs_of("Modules", "Optimizers"),
    "A model is a function of its parameters: no object owns them, and no optimizer changes them in place.",
)
FUNCTIONAL: Shared = partial(
    Absence,
    (*verbs_of("Functional"), "jvp.strict"),
    "A transform takes a program and returns a function of the point: none takes both, or has flags.",
)
CONTROL_FLOW: Shared = partial(
    Absence,
    verbs_of("ControlFlow"),
    "Python's own control flow runs, and what it ran is differentiated: no operation replaces it.",
)
CALLBACKS: Shared = partial(
    Absence,
    verbs_of("Callbacks"),
    "A program runs as Python: there is no compiled trace from which it would have to be called back.",
)
