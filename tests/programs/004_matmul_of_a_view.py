"""Document 004, 1, first part: the factor is a view of a leaf.

A tensor reshaped in the line that makes it is no leaf: after backward it has no gradient, whereas the other
factor, a leaf, has.
"""

import warnings

import torch

x = torch.tensor([2.0, 1.0], requires_grad=True).view(1, 2)
y = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
z = torch.mm(x, y)
print("x =", x.tolist(), "is leaf:", x.is_leaf)
print("shapes:", list(x.shape), list(y.shape), list(z.shape))
print("z =", z.tolist())

z.backward(torch.Tensor([[1.0, 0]]), retain_graph=True)
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    print("x.grad =", x.grad)
print("reading x.grad warns:", [warning.category.__name__ for warning in caught])
print("y.grad =", y.grad.tolist())
