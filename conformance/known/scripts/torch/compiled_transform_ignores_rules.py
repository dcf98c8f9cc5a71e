import torch


class Seven(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return x * x

    @staticmethod
    def setup_context(ctx, inputs, output):
        pass

    @staticmethod
    def backward(ctx, gradient):
        return 7 * gradient

    @staticmethod
    def jvp(ctx, tangent):
        return 7 * tangent


def both(x):
    tangent = torch.func.jvp(Seven.apply, (x,), (torch.ones_like(x),))[1]
    return torch.func.grad(Seven.apply)(x), tangent


x = torch.tensor(3.0)
assert both(x) == (7, 7), both(x)
compiled = torch.compile(both, backend="aot_eager")(x)
assert compiled == (7, 7), compiled
