import torch


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, g):
        return 2 * ctx.saved_tensors[0] * g, g  # one gradient too many


x = torch.tensor(2.0, requires_grad=True)
try:
    torch.compile(Square.apply, backend="aot_eager")(x).backward()
except RuntimeError:
    pass  # as in eager mode: returned an incorrect number of gradients
else:
    raise AssertionError(f"no error, and the gradient {x.grad}")
