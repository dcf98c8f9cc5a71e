import torch


class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return 2 * x

    @staticmethod
    def backward(ctx, g):
        return 2.0  # a number, and no tensor


x = torch.tensor(3.0, requires_grad=True)
y = torch.compile(Double.apply, backend="aot_eager")(x)
try:
    y.backward()
except RuntimeError:
    pass  # as in eager mode: expected a tensor
else:
    raise AssertionError(f"no error, and the gradient {x.grad}")
