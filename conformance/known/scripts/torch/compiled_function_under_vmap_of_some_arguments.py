import torch


class Product(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x, y):
        return x * y

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, g):
        x, y = ctx.saved_tensors
        return y * g, x * g


def program(x, y):
    return torch.vmap(Product.apply, (0, None))(x, y).sum()


x, y = torch.tensor([1.0, 2.0], requires_grad=True), torch.tensor(3.0, requires_grad=True)
torch.compile(program, backend="aot_eager")(x, y).backward()  # InternalTorchDynamoError
assert y.grad == 3.0, y.grad
