import math

import torch

x = torch.tensor(20.0, dtype=torch.float64, requires_grad=True)
torch.tanh(x).backward()
true = 1 / math.cosh(20.0) ** 2
print("derivative of tanh at 20:", x.grad.item(), "true:", true)
assert math.isclose(x.grad.item(), true), x.grad
