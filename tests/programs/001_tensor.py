"""Document 001, "2.3.2 Tensor".

A tensor made by the user has no grad_fn, one made by an operation has; requires_grad_ switches the flag of
a leaf in place.
"""

import torch

x = torch.ones(2, 2, requires_grad=True)
print("x =", x.tolist())
print("x.grad_fn =", x.grad_fn)

y = x + 2
print("y =", y.tolist())
print("y.grad_fn is", y.grad_fn.name())
print("is_leaf:", x.is_leaf, y.is_leaf)

z = y * y * 3
out = z.mean()
print("z =", z.tolist())
print("out =", out.item())
print("out.grad_fn is", out.grad_fn.name())

a = torch.tensor([[2.0, 3.0], [5.0, -1.0]])
a = (a * 3) / (a - 1)
print("a =", a.tolist())
print("a.requires_grad =", a.requires_grad)
a.requires_grad_(True)
print("a.requires_grad =", a.requires_grad)
b = (a * a).sum()
print("b =", b.item())
print("b.grad_fn is", b.grad_fn.name())
