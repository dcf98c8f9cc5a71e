import torch


class Square(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        return x * x

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, g):
        return 7 * ctx.saved_tensors[0] * g


def program(x):
    return torch.vmap(lambda x: Square.apply(x))(x).sum()


x = torch.tensor([1.0, 5.0], requires_grad=True)
(eager,) = torch.autograd.grad(program(x), x)
(compiled,) = torch.autograd.grad(torch.compile(program, backend="aot_eager")(x), x)
assert compiled.tolist() == eager.tolist(), (compiled.tolist(), eager.tolist())
