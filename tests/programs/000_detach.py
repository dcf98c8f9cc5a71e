"""Document 000, "Tensor.data and Tensor.detach()", the part on detach.

A detached tensor shares its memory with the original too, but writing to it is noticed: backward raises an error
instead of giving a wrong gradient.
"""

import torch

a = torch.ones(2, 2, requires_grad=True)
b = torch.tensor([[0.5, 0.25], [0.125, 2.0]], requires_grad=True)
d = (a * b).sum()

detached = a.detach()
print("detached.requires_grad =", detached.requires_grad)
detached.sigmoid_()
print("a =", [[round(value, 4) for value in row] for row in a.tolist()])
print("a.requires_grad =", a.requires_grad)

try:
    d.backward()
except Exception as error:
    print("d.backward() raises", type(error).__name__)
print("b.grad =", b.grad)
