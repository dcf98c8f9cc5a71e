import torch
from torch.nn.functional import gaussian_nll_loss


def loss(variance):
    return gaussian_nll_loss(torch.tensor([1.0]), torch.tensor([3.0]), variance, eps=0.5)


variance = torch.tensor([0.25])
assert torch.func.jacfwd(loss)(variance) == torch.func.grad(loss)(variance) == -7.0
