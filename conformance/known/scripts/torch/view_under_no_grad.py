import torch

x = torch.ones(2, requires_grad=True)
with torch.no_grad():
    y = x[:1]
assert not y.requires_grad, y.requires_grad
