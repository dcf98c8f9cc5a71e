import torch


def product(w):
    x = w * 1.0
    torch.nn.functional.dropout(x, 0.5, training=False).mul_(3.0)
    return x.sum()


w = torch.tensor([1.0], requires_grad=True)
compiled = torch.compile(product, backend="aot_eager")
gradient = torch.autograd.grad(compiled(w), w)[0].item()
assert gradient == 3.0, gradient
