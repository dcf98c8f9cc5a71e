import torch

x = torch.tensor([0.0, 1.0], requires_grad=True)
torch.clamp(x, 0.0, 1.0).sum().backward()
assert x.grad.tolist() == [0.0, 0.0], x.grad  # of the subgradients between 0 and 1, the one of smallest norm
