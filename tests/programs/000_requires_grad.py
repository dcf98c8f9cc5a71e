"""Document 000, "Operations on autograd", first half.

A tensor does not require grad unless asked to; a result requires grad as soon as one of its inputs does.
"""

import torch

a = torch.ones(3)
b = torch.ones(3, requires_grad=True)

print("a.requires_grad =", a.requires_grad)
print("b.requires_grad =", b.requires_grad)
print("(a + b).requires_grad =", (a + b).requires_grad)
print("(a + a).requires_grad =", (a + a).requires_grad)
