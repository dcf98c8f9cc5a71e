import torch

x = torch.tensor(1.5, dtype=torch.float64, requires_grad=True)
(first,) = torch.autograd.grad(torch.pow(0.0, x), x, create_graph=True)
(second,) = torch.autograd.grad(first, x)
print("derivatives of 0^x at 1.5:", first.item(), second.item(), "true: 0, 0")
assert second == 0.0, second
