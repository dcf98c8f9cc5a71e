import math

import torch
from torch.nn.functional import binary_cross_entropy_with_logits

x = torch.tensor([-40.0], dtype=torch.float64, requires_grad=True)


def loss(x):
    return binary_cross_entropy_with_logits(x, torch.zeros_like(x))


(by_tape,) = torch.autograd.grad(loss(x), x)
by_func = torch.func.grad(loss)(x.detach())
true = math.exp(-40.0) / (1 + math.exp(-40.0))
print("torch.autograd.grad", by_tape.item(), "torch.func.grad", by_func.item(), "true", true)
assert math.isclose(by_func.item(), true)
