"""Document 002, "Build first, wrap into a parameter last".

A view of a parameter is no leaf; a tensor wrapped after it was given its shape is one. The document prints
the warning under the parameter t itself, which looks like a slip: t does receive its gradient, in its own
shape, and it is the view that has none and warns.
"""

import warnings

import torch

t = torch.nn.Parameter(torch.tensor([[-0.5], [2.0], [0.25], [1.5], [0.75], [-1.0]]))
view = t.view(2, 3)
view.sum().backward()
print("t requires grad:", t.requires_grad, "is leaf:", t.is_leaf)
print("t.grad =", t.grad.tolist())
print("view.is_leaf =", view.is_leaf)
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    print("view.grad =", view.grad)
print("reading view.grad warns:", [warning.category.__name__ for warning in caught])

k = torch.tensor([[-0.5], [2.0], [0.25], [1.5], [0.75], [-1.0]])
k = k.view(2, 3)
kp = torch.nn.Parameter(k)
kp.sum().backward()
print("kp requires grad:", kp.requires_grad, "is leaf:", kp.is_leaf)
print("kp.grad =", kp.grad.tolist())
