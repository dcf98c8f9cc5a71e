"""Document 003, (1): giving the name of a leaf a new value.

w = w * 2 is allowed and loses the leaf: backward runs, but the gradient of what w names now is None, and
asking for it warns.
"""

import warnings

import torch

w = torch.tensor(2.0, requires_grad=True)
print("w.is_leaf =", w.is_leaf)
w = w * 2
print("w =", w.item(), "grad_fn:", w.grad_fn.name())
print("w.is_leaf =", w.is_leaf)
w.backward()
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    print("w.grad =", w.grad)
print("reading w.grad warns:", [warning.category.__name__ for warning in caught])
