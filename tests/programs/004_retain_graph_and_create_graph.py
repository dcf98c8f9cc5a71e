"""Document 004, 2, backward and grad: retain_graph is create_graph unless given.

A graph walked with create_graph=True can be walked again; one walked without, or with retain_graph=False
beside it, cannot.
"""

import torch

x = torch.tensor(2.0, requires_grad=True)

for arguments in ({}, {"create_graph": True}, {"create_graph": True, "retain_graph": False}):
    cube = x * x * x
    (first,) = torch.autograd.grad(cube, x, **arguments)
    print(arguments, "gives", first.item(), "requires grad:", first.requires_grad)
    try:
        (again,) = torch.autograd.grad(cube, x)
        print("a second walk gives", again.item())
    except Exception as error:
        print("a second walk raises", type(error).__name__)

cube = x * x * x
(first,) = torch.autograd.grad(cube, x, create_graph=True)
(second,) = torch.autograd.grad(first, x, create_graph=True)
(third,) = torch.autograd.grad(second, x)
print("derivatives:", first.item(), second.item(), third.item())
