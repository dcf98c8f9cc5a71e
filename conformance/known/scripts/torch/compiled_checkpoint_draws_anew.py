import torch
from torch.utils.checkpoint import checkpoint


def noisy(x):
    return torch.rand(2) * x


@torch.compile(backend="eager")
def program(x):
    return checkpoint(noisy, x, use_reentrant=False)


x = torch.ones(2, requires_grad=True)
y = program(x)
y.sum().backward()
assert y.tolist() == x.grad.tolist(), (y.tolist(), x.grad.tolist())  # the draws of the forward and of its recomputation
