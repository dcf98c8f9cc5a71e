import torch

b = torch.tensor([[1.0, 2.0], [-1.0, 3.0]], dtype=torch.float64)
factors = torch.tensor([[[2.0, 0.0], [1.0, 3.0]], [[3.0, 0.0], [-1.0, 2.0]]], dtype=torch.float64)
direction = torch.tensor([[[0.0, 0.0], [1.0, 0.0]], [[0.0, 0.0], [2.0, 0.0]]], dtype=torch.float64)


def total(factors):  # b has as many axes as a batch of vectors would have, and is a matrix
    return torch.cholesky_solve(b, factors).sum()


_, tangent = torch.func.jvp(total, (factors,), (direction,))
true = (torch.func.grad(total)(factors) * direction).sum()
differences = (total(factors + 1e-6 * direction) - total(factors - 1e-6 * direction)) / 2e-6
print("seen", tangent.item(), "reverse mode", true.item(), "differences", differences.item())
assert abs(tangent - differences) < 1e-6
