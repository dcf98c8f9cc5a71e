import torch

x = torch.tensor(1e200, dtype=torch.float64, requires_grad=True)
(got,) = torch.autograd.grad(torch.asinh(x), x)
print("seen", got.item(), "true", 1e-200)
assert abs(got.item() - 1e-200) < 1e-210, got
