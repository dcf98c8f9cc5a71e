"""torch.func: `vmap`, and modules as functions of their parameters. Source: torch.func.

Its derivatives (grad, vjp, jvp, jacrev, ...) are not here: `autograd` offers the same on the tape.
"""

from .batching import vmap
from .modules import functional_call, stack_module_state

__all__ = ["functional_call", "stack_module_state", "vmap"]
