import torch

x = torch.full((70,), torch.nan, requires_grad=True)
(seen,) = torch.autograd.grad(torch.nn.functional.hardtanh(x).sum(), x)
print("first", seen[0], "last", seen[-1])
assert seen[0] == seen[-1]
