import torch
from torch.func import grad, jvp

x = torch.tensor([1e-17, 0.5, 0.75], dtype=torch.float64)
t = torch.ones_like(x)


def product(x):
    return torch.cumprod(x, 0)[-1]  # x0 x1 x2


def tangent(x):
    return jvp(product, (x,), (t,))[1]


true = 2 * x.sum().item()
forward_over_reverse = jvp(lambda x: grad(product)(x).sum(), (x,), (t,))[1].item()
reverse_over_forward = grad(tangent)(x).sum().item()
forward_over_forward = jvp(tangent, (x,), (t,))[1].item()
print("true", true)
print("forward over reverse", forward_over_reverse)
print("reverse over forward", reverse_over_forward)
print("forward over forward", forward_over_forward)
assert abs(reverse_over_forward - true) < 1e-6
assert abs(forward_over_forward - true) < 1e-6
