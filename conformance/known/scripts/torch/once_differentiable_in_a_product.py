import torch
from torch.autograd.function import once_differentiable


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        return 2 * ctx.saved_tensors[0] * g


x = torch.tensor(2.0, requires_grad=True)
(gradient,) = torch.autograd.grad(Square.apply(x), x, create_graph=True)
try:
    (gradient * x).backward()  # the derivative of 2x * x is 8
except RuntimeError:
    pass
else:
    raise AssertionError(f"no error, and a gradient of {x.grad}")
