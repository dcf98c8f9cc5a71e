import torch

x = torch.tensor(0.0, dtype=torch.float64, requires_grad=True)
(gradient,) = torch.autograd.grad(torch.nn.functional.hardsigmoid(x), x)
assert abs(gradient.item() - 1 / 6) < 1e-15, gradient.item()
