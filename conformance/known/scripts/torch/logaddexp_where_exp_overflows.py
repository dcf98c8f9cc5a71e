import torch

x = torch.tensor(-800.0, dtype=torch.float64, requires_grad=True)
y = torch.tensor(0.0, dtype=torch.float64)
(first,) = torch.autograd.grad(torch.logaddexp(x, y), x, create_graph=True)
(seen,) = torch.autograd.grad(first, x)
print("seen", seen.item(), "true", 0.0, "as exp(-800) is below the smallest number")
assert seen.item() == 0.0
