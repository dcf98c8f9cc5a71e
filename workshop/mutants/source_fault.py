"""A fault at a place of an engine's source."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any, NamedTuple


class Fault(NamedTuple):
    """A fault: its family, the words after it in the name, a sentence, and the rewriting.

    `rewrite` makes another node of the place's; where it is None, `default` names an argument and its other default.
    `branch` is the outcome of the test, that the place is, in which the fault shows; `raising`, that it counts only if
    behaviours reach the error around it.
    """

    family: str
    text: str
    what: str
    rewrite: Callable[[Any], ast.AST] | None
    default: tuple[str, Any] | None = None
    branch: bool | None = None
    raising: bool = False
