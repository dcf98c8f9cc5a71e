import torch

x = torch.ones(3, 3)
x.add_(x.diagonal())
assert (x == 2.0).all(), x  # every element is 1 + 1
