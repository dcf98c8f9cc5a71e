import torch
from torch.func import functionalize, grad


class Square(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return x * x

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, g):
        return 2 * ctx.saved_tensors[0] * g


x = torch.tensor(3.0)
assert grad(Square.apply)(x) == grad(functionalize(Square.apply))(x) == 6.0
