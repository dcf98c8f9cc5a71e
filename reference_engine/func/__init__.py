"""torch.func: transforms, which turn a function into the function that computes its derivative.

They nest in any order, and take and return nested containers of tensors. Source: torch.func.
"""

from .batching import vmap
from .forward import jvp
from .jacobians import hessian, jacfwd, jacrev
from .modules import functional_call
from .reverse import grad, grad_and_value, vjp

__all__ = [
    "functional_call", "grad", "grad_and_value", "hessian", "jacfwd", "jacrev", "jvp",
    "vjp", "vmap",
]  # fmt: skip
