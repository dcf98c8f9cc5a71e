import torch

two, zero = torch.tensor(2.0), torch.tensor(0.0)
base = torch.tensor(-1.5)


def tangent(x):
    return torch.func.jvp(lambda x: torch.pow(x, two), (x,), (torch.ones_like(x),))[1]


seen = torch.func.grad(tangent)(base)
print("reverse over forward, x ** tensor(2.) at -1.5:", seen.item(), "true: 2")
twice = torch.func.grad(torch.func.grad(lambda x: torch.pow(x, zero)))(zero)
print("reverse over reverse, x ** tensor(0.) at 0:", twice.item(), "true: 0")
assert seen == 2.0, seen
assert twice == 0.0, twice
