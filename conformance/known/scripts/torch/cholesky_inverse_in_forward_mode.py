import torch

factor = torch.tensor([[1.7, 0.0], [1.0, 2.0]], dtype=torch.float64)
direction = torch.tensor([[1.0, 0.0], [0.0, 0.0]], dtype=torch.float64)


def total(factor):
    return torch.cholesky_inverse(factor).sum()


_, tangent = torch.func.jvp(total, (factor,), (direction,))
true = (total(factor + 1e-6 * direction) - total(factor - 1e-6 * direction)) / 2e-6
print("seen", tangent.item(), "reverse mode", torch.func.grad(total)(factor)[0, 0].item(), "true", true.item())
assert abs(tangent - true) < 1e-6
