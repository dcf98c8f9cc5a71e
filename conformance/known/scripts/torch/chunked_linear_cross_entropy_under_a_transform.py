import torch
from torch.func import grad
from torch.nn import LinearCrossEntropyOptions
from torch.nn.functional import linear_cross_entropy

x = torch.tensor([[0.5, -1.0], [2.0, 0.3], [0.1, 0.7]], dtype=torch.float64)
weight = torch.tensor([[1.0, 0.2], [-0.4, 0.8]], dtype=torch.float64)
target = torch.tensor([0, 1, 1])
chunked = LinearCrossEntropyOptions(batch_chunk_size=2)


def loss(x):
    return linear_cross_entropy(x, weight, target, options=chunked)


leaf = x.clone().requires_grad_()
(true,) = torch.autograd.grad(loss(leaf), leaf)
print("true", true.tolist())
assert torch.allclose(grad(loss)(x), true)
