"""Document 004, 2, variable(): the old way to make a tensor.

The document's source warns that torch.autograd.variable is deprecated and returns a tensor. That is
outdated: today the call raises an error, and torch.tensor takes its place.
"""

import torch

try:
    torch.autograd.variable([1.0, 2.0])
except Exception as error:
    print("torch.autograd.variable raises", type(error).__name__)
print("torch.tensor =", torch.tensor([1.0, 2.0]).tolist())
