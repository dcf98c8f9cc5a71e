import torch
from torch.func import grad, jvp

a = torch.tensor([[2.0, 0.3], [0.1, 3.0]], dtype=torch.float64)
v = torch.tensor([[1.0, 0.5], [0.25, -1.0]], dtype=torch.float64)


def value(t):
    return torch.linalg.det(a + t * v)


def tangent(t):
    return jvp(value, (t,), (torch.ones_like(t),))[1]


t = torch.tensor(0.3, dtype=torch.float64)
true = grad(grad(value))(t)
seen = jvp(tangent, (t,), (torch.ones_like(t),))[1], grad(tangent)(t)
differences = (value(t + 1e-4) - 2 * value(t) + value(t - 1e-4)) / 1e-8
print("seen", [x.item() for x in seen], "grad of grad", true.item(), "differences", differences.item())
assert all(abs(x - differences) < 1e-5 for x in seen)
