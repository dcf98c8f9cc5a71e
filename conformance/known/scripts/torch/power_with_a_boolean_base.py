import torch

x = torch.tensor(3.0, requires_grad=True)
torch.pow(False, x).backward()
assert x.grad.item() == 0.0, x.grad  # of 0 ** x, which is 0 around 3
