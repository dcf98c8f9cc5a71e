import torch
from torch.func import functionalize, grad


def program(x):
    return (x * torch.tensor([2 * x[0], x[1]])).sum()  # values, without the graph


x = torch.tensor([3.0, 4.0])
assert grad(program)(x).tolist() == [6.0, 4.0]
assert grad(functionalize(program))(x).tolist() == [6.0, 4.0]
