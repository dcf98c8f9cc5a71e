import torch


class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return 2 * x

    @staticmethod
    def backward(ctx, g):
        return 2 * g


square = torch.compile(lambda x: x * Double.apply(x), backend="eager")
x = torch.tensor(3.0, requires_grad=True)
(first,) = torch.autograd.grad(square(x), x, create_graph=True)
(second,) = torch.autograd.grad(first, x)
assert (first, second) == (12.0, 4.0), (first, second)  # 4 x and 4; the gradient 2 x of Double was taken for a constant
