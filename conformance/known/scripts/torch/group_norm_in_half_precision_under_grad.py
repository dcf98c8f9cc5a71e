import torch
from torch.nn.functional import group_norm

x = torch.tensor([[[1.5], [-0.5]], [[0.25], [1.0]]], dtype=torch.float16)
seen = torch.func.grad(lambda z: group_norm(z, 2).sum())(x)
x.requires_grad_()
(true,) = torch.autograd.grad(group_norm(x, 2).sum(), x)
print("seen", seen.flatten(), "true", true.flatten())
assert torch.equal(seen, true)
