import torch

x = torch.tensor([1.0, 2.0])  # does not require grad, and is a leaf: retain_grad() is a no-op for leaves
assert x.is_leaf
x.retain_grad()
assert not x.retains_grad
