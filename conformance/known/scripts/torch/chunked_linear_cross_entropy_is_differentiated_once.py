import torch
from torch.func import jvp
from torch.nn import LinearCrossEntropyOptions
from torch.nn.functional import linear_cross_entropy

x = torch.tensor([[0.5, -1.0], [2.0, 0.3], [0.1, 0.7]], dtype=torch.float64)
weight = torch.tensor([[1.0, 0.2], [-0.4, 0.8]], dtype=torch.float64)
target = torch.tensor([0, 1, 1])
chunked = LinearCrossEntropyOptions(batch_chunk_size=2, allow_retain_graph=True)


def tangent(options):
    return jvp(lambda x: linear_cross_entropy(x, weight, target, options=options), (x,), (torch.ones_like(x),))[1]


def second(options):
    leaf = x.clone().requires_grad_()
    loss = linear_cross_entropy(leaf, weight, target, options=options) ** 2
    (gradient,) = torch.autograd.grad(loss, leaf, create_graph=True)
    return torch.autograd.grad(gradient.sum(), leaf)[0]


print("seen", tangent(chunked).item(), second(chunked).tolist(), "true", tangent(None).item(), second(None).tolist())
assert torch.allclose(tangent(chunked), tangent(None))
assert torch.allclose(second(chunked), second(None))
