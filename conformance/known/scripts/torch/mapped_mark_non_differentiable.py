import torch


class Function(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        return 2 * x, x.clone()

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.mark_non_differentiable(output[1])

    @staticmethod
    def backward(ctx, first, second):
        return 2 * first


x = torch.ones(3, requires_grad=True)
assert not Function.apply(x)[1].requires_grad
assert not torch.vmap(Function.apply)(x)[1].requires_grad
