import torch
from torch.nn import LinearCrossEntropyOptions
from torch.nn.functional import linear_cross_entropy

batch = torch.tensor([[[0.5, -1.0], [2.0, 0.3]], [[0.1, 0.7], [1.0, 0.4]]], dtype=torch.float64)
weight = torch.tensor([[1.0, 0.2], [-0.4, 0.8]], dtype=torch.float64)
target = torch.tensor([0, 1])
chunked = LinearCrossEntropyOptions(batch_chunk_size=1)


def loss(x):
    return linear_cross_entropy(x, weight, target, options=chunked)


def gradient(total):
    x = batch.clone().requires_grad_()
    # The square keeps the gradient from being None.
    return torch.autograd.grad(total(x) + x.square().sum(), x)[0] - 2 * batch


true = gradient(lambda x: sum(map(loss, x)))
seen = gradient(lambda x: torch.vmap(loss)(x).sum())
print("seen", seen.tolist(), "true", true.tolist())
assert torch.allclose(seen, true)
