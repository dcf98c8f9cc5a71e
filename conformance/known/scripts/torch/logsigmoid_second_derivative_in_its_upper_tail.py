import math

import torch

x = torch.tensor(40.0, dtype=torch.float64, requires_grad=True)
(first,) = torch.autograd.grad(torch.nn.functional.logsigmoid(x), x, create_graph=True)
(second,) = torch.autograd.grad(first, x)
true = -math.exp(-40.0) / (1 + math.exp(-40.0)) ** 2
print("second derivative of logsigmoid at 40:", second.item(), "true:", true)
assert math.isclose(second.item(), true), second
