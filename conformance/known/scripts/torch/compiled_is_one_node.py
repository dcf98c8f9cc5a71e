import torch


def program(x):
    y = 2 * x
    return y, y * y


x = torch.tensor([3.0], requires_grad=True)
y, z = torch.compile(program, backend="aot_eager")(x)
(gradient,) = torch.autograd.grad(z.sum(), y, allow_unused=True)
assert gradient == 12.0, gradient  # 2 y; it is None
