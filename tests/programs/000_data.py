"""Document 000, "Tensor.data and Tensor.detach()", the part on data.

What is computed from .data lies outside the graph and has no backward. Writing through .data changes the
tensor unseen: the gradient of b silently becomes 0.7311, the logistic function at 1, where it should be 1.
"""

import torch

a = torch.ones(2, 2, requires_grad=True)
b = torch.tensor([[0.5, 0.25], [0.125, 2.0]], requires_grad=True)

print("a.data.requires_grad =", a.data.requires_grad)
d = (a.data * b.data).sum()
print("d =", d.item(), "requires grad:", d.requires_grad)
try:
    d.backward()
except Exception as error:
    print("d.backward() raises", type(error).__name__)

d = (a * b).sum()
a.data.sigmoid_()
print("a =", [[round(value, 4) for value in row] for row in a.tolist()])
d.backward()
print("b.grad =", [[round(value, 4) for value in row] for row in b.grad.tolist()])
