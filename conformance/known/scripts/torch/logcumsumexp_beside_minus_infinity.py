import math

import torch

x = torch.tensor([-math.inf, 0.5, 1.0], requires_grad=True)
torch.logcumsumexp(x, 0)[1:].sum().backward()
y = torch.tensor([-math.inf, 0.5, 1.0], requires_grad=True)
(torch.logsumexp(y[:2], 0) + torch.logsumexp(y, 0)).backward()
print("gradient of logcumsumexp:", x.grad.tolist(), "of logsumexp:", y.grad.tolist())
assert torch.allclose(x.grad, y.grad), x.grad
