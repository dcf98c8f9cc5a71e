"""Forms of steps: operations, memory, transforms with programs in them, and what only a tape has."""

from __future__ import annotations

from conformance.programs.forms.form import Form, Misfit
from conformance.programs.forms.memory import MEMORY
from conformance.programs.forms.nested import NESTED
from conformance.programs.forms.operations import OPERATIONS
from conformance.programs.forms.tape import TAPE

__all__ = ["FORMS", "Form", "Misfit"]

FORMS: dict[str, Form] = {**OPERATIONS, **MEMORY, **NESTED, **TAPE}
