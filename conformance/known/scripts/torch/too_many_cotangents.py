import torch

x = torch.tensor(3.0, requires_grad=True)
try:
    torch.autograd.grad([x * x], x, [torch.tensor(10.0), torch.tensor(3.0)])  # one output and two gradients
except (RuntimeError, ValueError):
    pass
else:
    raise AssertionError("the second gradient is ignored")
