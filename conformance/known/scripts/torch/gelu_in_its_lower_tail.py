import math

import torch

x = torch.tensor(-8.3, dtype=torch.float64, requires_grad=True)
(seen,) = torch.autograd.grad(torch.nn.functional.gelu(x), x)
true = math.erfc(8.3 / math.sqrt(2)) / 2 - 8.3 * math.exp(-(8.3**2) / 2) / math.sqrt(2 * math.pi)
print("seen", seen.item(), "true", true)
assert abs(seen.item() - true) < 1e-9 * abs(true)
