import torch

torch.manual_seed(0)
a = torch.randn(2, 2, 3, 3, dtype=torch.float64) + 3 * torch.eye(3, dtype=torch.float64)
b = torch.randn(2, 3, 2, dtype=torch.float64)
mapped = torch.vmap(torch.linalg.solve)(a, b)
looped = torch.stack([torch.linalg.solve(matrices, one) for matrices, one in zip(a, b, strict=True)])
print("seen", mapped[0, 1].tolist(), "true", looped[0, 1].tolist())
assert torch.allclose(mapped, looped)
