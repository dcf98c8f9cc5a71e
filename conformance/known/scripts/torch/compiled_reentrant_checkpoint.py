import torch
from torch.utils.checkpoint import checkpoint

program = torch.compile(lambda x: checkpoint(torch.sin, x, use_reentrant=True), backend="aot_eager")
x = torch.tensor(0.0, requires_grad=True)
try:
    gradient = torch.autograd.grad(program(x), x)
except RuntimeError:
    pass  # as in eager mode: the reentrant checkpoint is incompatible with torch.autograd.grad
else:
    raise AssertionError(f"no error, and the gradient {gradient}")
