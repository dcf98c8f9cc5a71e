import torch


def total(a):
    return torch.linspace(a, a * 3, 4).sum()  # 8 a


gradient = torch.func.grad(total)(torch.tensor(1.0))
mapped = torch.func.grad(lambda a: torch.func.vmap(total)(a).sum())(torch.ones(1))
print("seen", gradient.item(), "of a vmap", mapped.tolist(), "true", 8.0)
assert gradient.item() == 8.0
