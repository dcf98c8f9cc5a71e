"""The tape's functional interface: name, signature and meaning of each function."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["FUNCTIONAL"]

# The tape's functional interface, `ad.functional`: derivatives of a function at a point. `inputs` is an array or a
# tuple of arrays; with `strict`, an output that does not depend on an input raises an error.
FUNCTIONAL: Mapping[str, str] = {
    "jacobian(program, inputs, create_graph=False, strict=False, vectorize=False, strategy='reverse-mode')": (
        "Jacobian of `program` at `inputs`."
    ),
    "hessian(program, inputs, create_graph=False, strict=False, vectorize=False,"
    " outer_jacobian_strategy='reverse-mode')": "Hessian of a scalar-valued `program` at `inputs`.",
    "vjp(program, inputs, v=None, create_graph=False, strict=False)": "Output, and v times the Jacobian.",
    "jvp(program, inputs, v=None, create_graph=False, strict=False)": "Output, and the Jacobian times v.",
    "vhp(program, inputs, v=None, create_graph=False, strict=False)": "Output, and v times the Hessian.",
    "hvp(program, inputs, v=None, create_graph=False, strict=False)": "Output, and the Hessian times v.",
}
