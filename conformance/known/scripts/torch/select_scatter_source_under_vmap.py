import torch
from torch.func import grad, vmap

x, source = torch.zeros(2, 3, 3), torch.ones(2, 3)


def total(source):
    return vmap(lambda x, row: torch.select_scatter(x, row, 0, 1).sum())(x, source).sum()


gradient = grad(total)(source)
print("seen", gradient.tolist(), "true", torch.ones(2, 3).tolist())
assert torch.equal(gradient, torch.ones(2, 3))
