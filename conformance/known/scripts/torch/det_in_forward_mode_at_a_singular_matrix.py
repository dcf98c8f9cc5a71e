import torch

a = torch.tensor([[1.0, 2.0], [3.0, 6.0]], dtype=torch.float64)
v = torch.tensor([[1.0, 0.0], [0.0, 0.0]], dtype=torch.float64)
_, tangent = torch.func.jvp(torch.linalg.det, (a,), (v,))  # det(a + t v) = 6 t
print("seen", tangent.item(), "true", 6.0)
assert abs(tangent - 6.0) < 1e-9
