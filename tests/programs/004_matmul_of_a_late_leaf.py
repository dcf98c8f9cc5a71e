"""Document 004, 1, third part: the factor requires grad only after it was reshaped.

A view of a tensor that does not require grad can be made to require grad, and is a leaf with a gradient.
"""

import torch

x = torch.tensor([2.0, 1.0]).view(1, 2)
x.requires_grad = True
y = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
z = torch.mm(x, y)
print("x =", x.tolist(), "is leaf:", x.is_leaf)
print("shapes:", list(x.shape), list(y.shape), list(z.shape))
print("z =", z.tolist())

z.backward(torch.Tensor([[1.0, 0]]), retain_graph=True)
print("x.grad =", x.grad.tolist())
print("y.grad =", y.grad.tolist())
