import math

import torch

x = torch.tensor([[0.0, 0.0]], requires_grad=True)
torch.cdist(x, torch.tensor([[1.0, 1.0]]), p=math.inf).sum().backward()
print("gradient of max(|x0 - 1|, |x1 - 1|) at (0, 0):", x.grad.tolist(), "a subgradient: [-0.5, -0.5]")
assert x.grad.sum() == -1.0, x.grad  # along (1, 1) the function is 1 - t: differentiable
