import torch

x = torch.full((3,), 1000.0, dtype=torch.bfloat16, requires_grad=True)
(seen,) = torch.autograd.grad(torch.logsumexp(x, 0), x)
print("seen", seen.tolist(), "true", [1 / 3] * 3)
assert abs(seen.sum().item() - 1) < 0.1
