import torch
from torch.func import grad, jvp

a = torch.tensor([[2.0, 0.3], [0.3, 3.0]], dtype=torch.float64)
v = torch.tensor([[1.0, 0.5], [0.5, -1.0]], dtype=torch.float64)


def value(t):  # the signs of the eigenvectors do not matter
    vectors = torch.linalg.eigh(a + t * v).eigenvectors
    return (vectors[:, 0] * vectors[:, 0])[0]


def tangent(t):
    return jvp(value, (t,), (torch.ones_like(t),))[1]


t = torch.tensor(0.1, dtype=torch.float64)
seen, true = grad(tangent)(t), grad(grad(value))(t)
print("seen", seen.item(), "grad of grad", true.item())
assert torch.allclose(seen, true)
