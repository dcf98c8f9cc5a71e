"""The table of contents: the chapters of the suite in teaching order, in groups."""

from __future__ import annotations

CONTENTS = {
    "Gradients": ("gradients", "leaves", "accumulation", "backward_arguments", "grad_arguments", "gradient_functions"),
    "The graph": ("graphs", "graph_lifetime", "saved_tensors", "detaching", "modes", "anomalies", "threads"),
    "In-place operations and views": ("inplace", "views", "versions", "indexing", "updates", "refs"),
    "Hooks": ("hooks",),
    "Modules and optimizers": ("modules", "parameters", "optimizers"),
    "Forward mode": ("forward_mode", "tangents", "linearizing", "transposing", "taylor_mode"),
    "Jacobians and higher order": ("pullbacks", "jacobians", "functional_interface", "higher_order", "nesting"),
    "Custom derivatives": (
        *("custom_functions", "custom_rules", "custom_vjp", "forward_rules", "implicit", "mapping", "checking"),
    ),
    "Transforms": (
        "transforms",
        "derivative_functions",
        "option_pairs",
        "containers",
        "batching",
        "control_flow",
        "jit_compilation",
        "purity",
        "callbacks",
    ),
    "Checkpointing": (
        "checkpointing",
        "checkpoint_options",
        "selective_checkpoints",
        "recomputation",
        "checkpoint_policies",
    ),
    "Dtypes and complex numbers": (
        "dtypes",
        "float0_and_x64",
        "conversions",
        "complex_numbers",
        "holomorphy",
        "sparse_gradients",
    ),
    "Operations": (
        *("kinks", "ties", "masking", "norms", "losses", "linear_algebra", "products", "assembling", "broadcasting"),
        *(
            "library_functions",
            "random_numbers",
            "stop_gradient",
            "edge_cases",
            "invalid_arguments",
            "overrides",
            "deprecated_names",
        ),
    ),
}
# Of each chapter: its place in the contents, and its group.
_PLACES = {
    chapter: (place, group)
    for place, (group, chapter) in enumerate((group, chapter) for group, its in CONTENTS.items() for chapter in its)
}


def group_of(chapter: str) -> str:
    """The group of a chapter; empty for a chapter from outside."""
    return _PLACES.get(chapter, (0, ""))[1]


def place_of(chapter: str) -> tuple[int, str]:
    """The sort key of a chapter: the contents in their order, then others by name."""
    return (_PLACES[chapter][0] if chapter in _PLACES else len(_PLACES), chapter)
