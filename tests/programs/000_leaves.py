"""Document 000, "Leaf nodes".

A tensor that the user made is a leaf and has no grad_fn; the result of an operation on tensors that require
grad is no leaf, and its grad_fn names the operation.
"""

import torch

a = torch.ones(3, requires_grad=True)
b = torch.tensor([0.4254, 0.8763, 0.5901], requires_grad=True)
c = a * b

print("a.is_leaf =", a.is_leaf)
print("b.is_leaf =", b.is_leaf)
print("c.is_leaf =", c.is_leaf)
print("c =", [round(value, 4) for value in c.tolist()])
print("a.grad_fn =", a.grad_fn)
print("c.grad_fn is", c.grad_fn.name())
