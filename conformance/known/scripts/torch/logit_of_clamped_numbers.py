import torch

x = torch.tensor(0.0, requires_grad=True)
(first,) = torch.autograd.grad(torch.logit(x, eps=0.1), x, create_graph=True)
(second,) = torch.autograd.grad(first, x)
print("first", first, "second", second)
assert second == 0
