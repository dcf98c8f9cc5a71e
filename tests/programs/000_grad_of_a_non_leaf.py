"""Document 000, "autograd.grad and hook", first part: autograd.grad.

Backward leaves no gradient in an intermediate tensor, and asking for it warns; autograd.grad hands it out,
in a tuple.
"""

import warnings

import torch

a = torch.ones(2, 2, requires_grad=True)
b = torch.tensor([[0.5, 0.25], [0.125, 2.0]], requires_grad=True)
c = a * b
d = c.sum()
d.backward()
print("a.grad =", a.grad.tolist())

with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    print("c.grad =", c.grad)
print("reading c.grad warns:", [warning.category.__name__ for warning in caught])

c = a * b
d = c.sum()
gradients = torch.autograd.grad(d, c)
print("autograd.grad returns a", type(gradients).__name__, "of", len(gradients))
print("gradient of c =", gradients[0].tolist())
