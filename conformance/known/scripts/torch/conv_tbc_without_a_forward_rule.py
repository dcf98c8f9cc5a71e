import torch

x = torch.tensor([[[0.5]], [[1.0]]])  # time, batch, channels


def f(x):
    return torch.conv_tbc(x, torch.ones(1, 1, 1), torch.zeros(1)).sum()


print("gradient", torch.func.grad(f)(x))
print("tangent", torch.func.jvp(f, (x,), (torch.ones_like(x),)))  # raises NotImplementedError
