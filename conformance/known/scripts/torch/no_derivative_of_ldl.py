import torch

x = torch.tensor([[2.0, 1.0], [1.0, 3.0]], requires_grad=True)
factor, pivots = torch.linalg.ldl_factor(x)
print("factor", factor)
print("gradient", torch.autograd.grad(factor.sum(), x))  # raises RuntimeError
