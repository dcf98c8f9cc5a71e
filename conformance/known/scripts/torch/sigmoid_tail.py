import math

import torch

x = torch.tensor(37.43, dtype=torch.float64, requires_grad=True)
torch.sigmoid(x).backward()
true = math.exp(-37.43) / (1 + math.exp(-37.43)) ** 2
print("derivative of sigmoid at 37.43:", x.grad.item(), "true:", true)
assert math.isclose(x.grad.item(), true), x.grad
