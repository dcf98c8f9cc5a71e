import torch
from torch.func import functionalize, grad


def program(x):
    y = x.sin()
    with torch.no_grad():
        y.add_(1.0)
    return y


x = torch.tensor(0.3)
assert grad(program)(x) == grad(functionalize(program))(x) == x.cos()
