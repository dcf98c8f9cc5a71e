"""Forms of steps: operations, memory, transforms with programs in them, custom rules, and a tape."""

from __future__ import annotations

from conformance.programs.forms.form import Misfit, StepForm
from conformance.programs.forms.memory import MEMORY
from conformance.programs.forms.nested import NESTED
from conformance.programs.forms.operations import OPERATIONS
from conformance.programs.forms.rules import RULES
from conformance.programs.forms.tape import TAPE

__all__ = ["FORMS", "JUMPING", "KINKED", "Misfit", "StepForm"]

FORMS: dict[str, StepForm] = {**OPERATIONS, **MEMORY, **NESTED, **TAPE, **RULES}
# Forms with kinks.
KINKED = frozenset(
    (
        *("larger", "np.abs", "np.relu", "np.relu6", "np.hardtanh", "np.leaky_relu", "np.maximum", "np.minimum"),
        *("masked_log", "guarded", "guarded_gradients"),
        *("np.amax", "np.amin", "np.sort_along_axis", "np.floor", "np.trunc", "np.sign", "np.remainder"),
        *("write.abs", "write.relu", "write.hardtanh", "write.leaky_relu"),
    )
)
# Forms whose values jump.
JUMPING = frozenset(("np.sign", "np.floor", "np.trunc", "np.remainder", "cond"))
