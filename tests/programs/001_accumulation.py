"""Document 001, "2.3.3 Gradients", the example of accumulation.

Gradients of different outputs add up in the leaf, 4.5 and then 5.5; set to zero in between, only
the second is there.
"""

import torch

x = torch.ones(2, 2, requires_grad=True)
y = x + 2
(y * y * 3).mean().backward()
print("x.grad =", x.grad.tolist())

x.sum().backward()
print("x.grad after the sum =", x.grad.tolist())

x.grad.data.zero_()
x.sum().backward()
print("x.grad of the sum alone =", x.grad.tolist())
