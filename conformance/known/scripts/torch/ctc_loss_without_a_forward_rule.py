import torch

x = torch.tensor([[[0.1, 0.9]], [[0.6, 0.4]]]).log().requires_grad_()


def f(x):
    return torch.nn.functional.ctc_loss(x, torch.tensor([[1]]), (2,), (1,), reduction="sum")


print("gradient", torch.autograd.grad(f(x), x))
print("tangent", torch.func.jvp(f, (x,), (torch.ones_like(x),)))  # raises NotImplementedError
