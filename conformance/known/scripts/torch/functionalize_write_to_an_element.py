import torch
from torch.func import functionalize, grad


def program(x):
    y = 2 * x
    y[0] = 5.0
    return y.sum()


x = torch.tensor([3.0, 4.0])
assert grad(program)(x).tolist() == [0.0, 2.0]
assert grad(functionalize(program))(x).tolist() == [0.0, 2.0]
