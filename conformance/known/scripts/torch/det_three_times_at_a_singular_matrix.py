import torch

a = torch.tensor([[1.0, 2.0, 3.0], [2.0, 4.0, 6.0], [1.0, 0.0, 1.0]], dtype=torch.float64)  # of rank 2
v = torch.tensor([[1.0, 0.5, 0.2], [0.25, -1.0, 0.3], [0.1, 0.7, 0.4]], dtype=torch.float64)
t = torch.tensor(0.0, dtype=torch.float64, requires_grad=True)
value = torch.linalg.det(a + t * v)  # a cubic: its third derivative is 6 det v
for _ in range(3):
    (value,) = torch.autograd.grad(value, t, create_graph=True)
true = 6 * torch.linalg.det(v)
print("seen", value.item(), "true", true.item())
assert torch.allclose(value, true)
