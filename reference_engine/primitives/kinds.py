"""Which kinds of numbers a primitive is for: NumPy would compute something for others, or complain in its own way."""

from collections.abc import Callable
from typing import Any

ORDERED = "biuf"
"""Bool, integer and floating: what has an order. Letters are NumPy's: b, i and u, f, and c for complex."""

COUNTED = "iuf"
"""Numbers on a line, bool not among them."""

SIGNED = "iufc"
"""All that can be subtracted."""

WHOLE = "biu"
"""All that has bits."""


def only(kinds: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """The function for first arguments of these kinds; NotImplementedError for others."""

    def evaluate(x: Any, *args: Any, **options: Any) -> Any:
        dtype = getattr(x, "dtype", None)
        if dtype is not None and dtype.kind not in kinds:
            message = f"this operation is not implemented for numbers of type {dtype}: convert them first"
            raise NotImplementedError(message)
        return function(x, *args, **options)

    # Who has looked already need not look again.
    evaluate.on_floats = function if "f" in kinds else evaluate  # type: ignore[attr-defined]
    return evaluate
