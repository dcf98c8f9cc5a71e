"""Operations of the table as forms: what they are called, and the shape of their result."""

from __future__ import annotations

from typing import Any

from conformance.programs.forms import shapes
from conformance.programs.forms.form import StepForm
from conformance.programs.forms.ranges import BINARY, REDUCTIONS, SCANS, UNARY
from conformance.programs.forms.shapes import Rule


def _operation(name: str, rule: Rule, joined: bool = False) -> StepForm:
    """The form of an operation; `joined`: it takes all arrays as a list."""

    # `name` is a free variable, whose value a listing puts in its place.
    def call(ad: Any, *arguments: Any) -> Any:
        return getattr(ad.np, name)(*arguments)

    # The last argument is the axis.
    def call_joined(ad: Any, *arguments: Any) -> Any:
        return getattr(ad.np, name)([*arguments[:-1]], arguments[-1])

    return StepForm(
        f"np.{name}",
        call_joined if joined else call,
        lambda given, options, bodies: rule(given, *options),
        (f"np.{name}",),
    )


# Elementwise are those of the tables of ranges.
RULES: dict[str, Rule] = {
    **dict.fromkeys(UNARY, shapes.first),
    **dict.fromkeys(BINARY, shapes.broadcast),
    **dict.fromkeys(REDUCTIONS, shapes.reduced),
    **dict.fromkeys(SCANS, shapes.along),
    "reshape": shapes.reshaped,
    "expand_dims": shapes.widened,
    "transpose": lambda given: shapes.swapped(given, 0, 1),
    "broadcast_to": shapes.expanded,
    "flip": lambda given, axes: shapes.along(given, axes[0]),
    "tril": lambda given: shapes.along(given, 1),
    "triu": lambda given: shapes.along(given, 1),
    "diagonal": shapes.diagonal,
    "matmul": shapes.contracted,
    "outer": shapes.product,
}


OPERATIONS: dict[str, StepForm] = {
    form.name: form
    for form in (
        *(_operation(name, rule) for name, rule in RULES.items()),
        _operation("stack", shapes.stacked, joined=True),
        _operation("concat", shapes.concatenated, joined=True),
    )
}
