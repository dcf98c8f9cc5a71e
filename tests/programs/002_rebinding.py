"""Document 002, "Do not assign to yourself".

A parameter's name that is bound anew to a computed value names an intermediate tensor, whose gradient stays
None; under another name the parameter keeps its gradient.
"""

import warnings

import torch

eta1 = torch.nn.Parameter(torch.tensor([0.0312, 0.6983, 0.4285]), requires_grad=True)
eta1 = eta1 * 2
print("eta1 =", [round(value, 4) for value in eta1.tolist()])
print("eta1.is_leaf =", eta1.is_leaf)
eta1.sum().backward()
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    print("eta1.grad =", eta1.grad)
print("reading eta1.grad warns:", [warning.category.__name__ for warning in caught])

eta2 = torch.nn.Parameter(torch.tensor([0.8627, 0.4348, 0.9095]), requires_grad=True)
doubled = eta2 * 2
print("doubled =", [round(value, 4) for value in doubled.tolist()])
doubled.sum().backward()
print("eta2.is_leaf =", eta2.is_leaf)
print("eta2.grad =", eta2.grad.tolist())
