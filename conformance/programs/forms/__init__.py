"""Forms of steps: operations, memory, transforms with programs in them, custom rules, and a tape."""

from __future__ import annotations

from conformance.programs.forms.form import Misfit, StepForm
from conformance.programs.forms.memory import MEMORY
from conformance.programs.forms.nested import NESTED
from conformance.programs.forms.operations import OPERATIONS
from conformance.programs.forms.rules import RULES
from conformance.programs.forms.tape import TAPE

__all__ = ["FORMS", "Misfit", "StepForm"]

FORMS: dict[str, StepForm] = {**OPERATIONS, **MEMORY, **NESTED, **TAPE, **RULES}
