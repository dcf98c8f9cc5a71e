import torch


class Function(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        return 2 * x, 3 * x

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.mark_non_differentiable(output[1])

    @staticmethod
    def backward(ctx, first, second):
        return 2 * first + 100 * second


def gradient(function):
    x = torch.ones(3, requires_grad=True)
    first, second = function(x)
    return torch.autograd.grad((first + second).sum(), x)[0].tolist()


seen, true = gradient(torch.vmap(Function.apply)), gradient(Function.apply)
print("seen", seen)
print("true", true)
assert seen == true
