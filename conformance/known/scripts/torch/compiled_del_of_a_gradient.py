import torch


def forget():
    del x.grad


x = torch.tensor([3.0], requires_grad=True)
x.sum().backward()
torch.compile(forget, backend="aot_eager")()
assert x.grad is None, x.grad
