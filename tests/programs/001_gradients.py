"""Document 001, "2.3.3 Gradients", the first example.

The mean of 3 * (x + 2)**2 over four ones is 27 and its gradient 4.5 everywhere; a scalar needs no gradient
argument, and giving it the number one is the same.
"""

import torch

x = torch.ones(2, 2, requires_grad=True)
y = x + 2
z = y * y * 3
out = z.mean()
out.backward()
print("out =", out.item())
print("x.grad =", x.grad.tolist())

x.grad = None
y = x + 2
(y * y * 3).mean().backward(torch.tensor(1.0))
print("x.grad by backward(tensor(1.)) =", x.grad.tolist())
