import torch

a = torch.tensor([[1.0, 2.0], [3.0, 6.0]], dtype=torch.float64, requires_grad=True)
(gradient,) = torch.autograd.grad(torch.linalg.det(a), a)
assert gradient.allclose(torch.tensor([[6.0, -3.0], [-2.0, 1.0]], dtype=torch.float64)), gradient.tolist()
