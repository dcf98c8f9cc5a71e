import torch

x = torch.tensor([[0.1, 0.4, 0.2]])


def f(x):
    return torch.nn.functional.multi_margin_loss(x, torch.tensor([1]))


print("gradient", torch.func.grad(f)(x))
print("tangent", torch.func.jvp(f, (x,), (torch.ones_like(x),)))  # raises NotImplementedError
