import torch
from torch.nn.functional import batch_norm

x = torch.tensor([[1.0, 2.0, 4.0], [0.5, -1.0, 3.0], [2.0, 0.0, 1.0]], dtype=torch.float64)
cotangent = torch.tensor([[0.3, -0.2, 0.7], [0.1, 0.9, -0.4], [-0.6, 0.5, 0.2]], dtype=torch.float64)


def gradient(weight):
    leaf = x.clone().requires_grad_()
    return torch.autograd.grad(batch_norm(leaf, None, None, weight, training=True), leaf, cotangent)[0]


weight = torch.tensor([2.0, 5.0, 3.0, 7.0, 4.0, 9.0], dtype=torch.float64)[::2]  # 2, 3, 4
seen, true = gradient(weight), gradient(weight.contiguous())
print("seen", seen.tolist(), "true", true.tolist())
assert torch.allclose(seen, true)
