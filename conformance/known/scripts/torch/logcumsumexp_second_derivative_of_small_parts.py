import math

import torch

x = torch.tensor([-40.0, 0.5, 0.0], dtype=torch.float64, requires_grad=True)
v = torch.tensor([0.7, -0.6, 0.9], dtype=torch.float64)
weights = torch.tensor([0.9, -0.8, 0.6], dtype=torch.float64)
(gradient,) = torch.autograd.grad(torch.logcumsumexp(x, 0) @ weights, x, create_graph=True)
(second,) = torch.autograd.grad(gradient @ v, x)
# Of each sum but the first, of a single element: p[0] (v[0] - sum(p v)) with the softmax p of its elements.
true = 0.0
for count in (2, 3):
    p = torch.softmax(x[:count].detach(), 0)
    true += (weights[count - 1] * p[0] * (v[0] - p @ v[:count])).item()
print("second derivative by the first element:", second[0].item(), "true:", true)
assert math.isclose(second[0].item(), true, rel_tol=1e-7)
