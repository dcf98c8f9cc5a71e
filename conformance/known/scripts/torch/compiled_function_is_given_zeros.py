import torch


class Twice(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.set_materialize_grads(False)
        return 2 * x, 3 * x

    @staticmethod
    def backward(ctx, first, second):
        return 7 * first if second is None else 2 * first + 3 * second


def gradient(function):
    x = torch.tensor(5.0, requires_grad=True)
    function(x).backward()
    return x.grad.item()


eager = gradient(lambda x: Twice.apply(x)[0])
compiled = gradient(torch.compile(lambda x: Twice.apply(x)[0], backend="aot_eager"))
print("eager", eager)
print("compiled", compiled)
assert eager == compiled
