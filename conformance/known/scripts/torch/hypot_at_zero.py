import torch

x = torch.tensor([0.0, 0.0], requires_grad=True)
torch.hypot(x[0], x[1]).backward()
y = torch.tensor([0.0, 0.0], requires_grad=True)
torch.linalg.vector_norm(y).backward()
print("gradient of hypot at zero:", x.grad.tolist(), "of vector_norm:", y.grad.tolist())
assert x.grad.tolist() == [0.0, 0.0], x.grad  # the subgradient of smallest norm
