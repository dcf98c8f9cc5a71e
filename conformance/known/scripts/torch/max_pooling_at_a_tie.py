import torch

x = torch.tensor([[2.0, 2.0]], requires_grad=True)
torch.amax(x, 1).sum().backward()
print("amax:", x.grad.tolist())
x.grad = None
torch.nn.functional.max_pool1d(x, 2).sum().backward()
assert x.grad.tolist() == [[0.5, 0.5]], x.grad  # of the subgradients, the one of smallest norm
