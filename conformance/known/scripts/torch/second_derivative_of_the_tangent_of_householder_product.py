import torch
from torch.func import grad, jvp


def value(t):
    reflector = torch.stack((torch.ones_like(t), t)).reshape(2, 1)
    return torch.linalg.householder_product(reflector, (2 / (1 + t * t)).reshape(1)).sum()


def tangent(t):
    return jvp(value, (t,), (torch.ones_like(t),))[1]


t = torch.tensor(0.7, dtype=torch.float64)
seen = jvp(tangent, (t,), (torch.ones_like(t),))[1], grad(tangent)(t)
true = (value(t + 1e-4) - 2 * value(t) + value(t - 1e-4)) / 1e-8
print("seen", [x.item() for x in seen], "grad of grad", grad(grad(value))(t).item(), "differences", true.item())
assert all(abs(x - true) < 1e-5 for x in seen)
