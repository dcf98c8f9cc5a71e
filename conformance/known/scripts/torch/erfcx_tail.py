import math

import torch

x = torch.tensor(1e4, dtype=torch.float64, requires_grad=True)
(first,) = torch.autograd.grad(torch.special.erfcx(x), x, create_graph=True)
(second,) = torch.autograd.grad(first, x)
true = 2 / math.sqrt(math.pi) / 1e12  # erfcx is 1 / (sqrt(pi) x) there
print("second derivative of erfcx at 10000:", second.item(), "true:", true)
assert math.isclose(second.item(), true, rel_tol=1e-3), second
