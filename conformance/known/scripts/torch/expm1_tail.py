import math

import torch

x = torch.tensor(-40.0, dtype=torch.float64, requires_grad=True)
torch.expm1(x).backward()
print("derivative of expm1 at -40:", x.grad.item(), "true:", math.exp(-40.0))
assert math.isclose(x.grad.item(), math.exp(-40.0)), x.grad
