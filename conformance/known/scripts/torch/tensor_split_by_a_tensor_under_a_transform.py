import torch
from torch.func import grad

x = torch.tensor([1.0, 2.0, 3.0, 4.0])


def by_tensor(x):
    return torch.tensor_split(x, torch.tensor([1, 3]))[1].square().sum()


def by_numbers(x):
    return torch.tensor_split(x, (1, 3))[1].square().sum()


leaf = x.clone().requires_grad_()
(true,) = torch.autograd.grad(by_tensor(leaf), leaf)
print("true", true.tolist(), "by numbers", grad(by_numbers)(x).tolist())
assert torch.equal(grad(by_tensor)(x), true)
