import torch

x = torch.tensor(0.0, requires_grad=True)
(seen,) = torch.autograd.grad(torch.nn.functional.hardshrink(x, 0.0), x)  # hardshrink(x, 0) is x, everywhere
print("seen", seen.item(), "true", 1.0)
assert seen == 1
