import torch
from torch.nn.functional import binary_cross_entropy


def loss(x):
    return binary_cross_entropy(x, torch.tensor([1.0, 0.0]))


x = torch.tensor([0.0, 1.0])
jacobian = torch.autograd.functional.jacobian(loss, x, vectorize=True, strategy="forward-mode")
assert jacobian.isfinite().all(), jacobian
