import math

import torch

x = torch.tensor(0.0, dtype=torch.float64, requires_grad=True)
(first,) = torch.autograd.grad(torch.sinc(x), x, create_graph=True)
(second,) = torch.autograd.grad(first, x)
assert math.isclose(second.item(), -(math.pi**2) / 3), second.item()
