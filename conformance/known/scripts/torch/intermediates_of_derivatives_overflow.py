import torch

x = torch.tensor(2.0**-6, dtype=torch.float16, requires_grad=True)
y = torch.tensor(2.0**-6, dtype=torch.float16, requires_grad=True)
(first,) = torch.autograd.grad(torch.atan2(y, x), y, create_graph=True)
(seen,) = torch.autograd.grad(first, y)
print("true", -2048.0, "seen", seen.item())
assert seen == -2048.0
