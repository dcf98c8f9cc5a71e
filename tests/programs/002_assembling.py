"""Document 002, "Mistakes in assembling variables".

A new tensor made from a list of computed scalars copies their values and cuts the graph; filling a tensor
of zeros element by element, and stacking the pieces, both keep it.
"""

import warnings

import torch
from torch.nn.functional import softplus

a = torch.nn.Parameter(torch.tensor([0.0592, 0.3581, 0.0161, 0.55005, 0.5207]))


def pieces():
    return a[0] * 2, torch.log(a[1] + 1), a[2] ** 2, softplus(a[3] * 2), a[4]


with warnings.catch_warnings():
    # Some versions warn of a tensor that requires grad turned into a number: the very mistake shown here.
    warnings.simplefilter("ignore")
    rebuilt = torch.tensor(list(pieces()))
print("rebuilt =", [round(value, 4) for value in rebuilt.tolist()])
print("rebuilt.requires_grad =", rebuilt.requires_grad)
try:
    rebuilt.sum().backward()
except Exception as error:
    print("backward of the rebuilt raises", type(error).__name__)

filled = torch.zeros([5])
filled[0], filled[1], filled[2], filled[3], filled[4] = pieces()
print("filled =", [round(value, 4) for value in filled.tolist()])
print("filled.requires_grad =", filled.requires_grad, "is leaf:", filled.is_leaf)
filled.sum().backward()
print("a.grad by filling =", [round(value, 4) for value in a.grad.tolist()])

stacked = torch.stack(pieces())
print("stacked =", [round(value, 4) for value in stacked.tolist()])
a.grad.zero_()
stacked.sum().backward()
print("a.grad by stacking =", [round(value, 4) for value in a.grad.tolist()])

joined = torch.cat([piece.view(1) for piece in pieces()])
a.grad.zero_()
joined.sum().backward()
print("a.grad by joining =", [round(value, 4) for value in a.grad.tolist()])
