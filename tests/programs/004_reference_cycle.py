"""Document 004, 2, backward: the note on create_graph.

After backward with create_graph a leaf and its gradient hold on to each other, so that both outlive their
last name (the leak that the note warns of), and PyTorch warns. autograd.grad makes no such cycle, and .grad
= None breaks it.
"""

import gc
import warnings
import weakref

import torch


def by_backward():
    x = torch.tensor([2.0], requires_grad=True)
    (x * x).sum().backward(create_graph=True)
    return weakref.ref(x)


def by_backward_and_reset():
    x = torch.tensor([2.0], requires_grad=True)
    (x * x).sum().backward(create_graph=True)
    x.grad = None
    return weakref.ref(x)


def by_grad():
    x = torch.tensor([2.0], requires_grad=True)
    torch.autograd.grad((x * x).sum(), x, create_graph=True)
    return weakref.ref(x)


# The collector must not come by itself between the last name and the question.
gc.disable()
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    kept = by_backward()
print("backward warns:", [warning.category.__name__ for warning in caught])
print("kept by backward:", kept() is not None)
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    print("kept by backward after a reset:", by_backward_and_reset()() is not None)
print("kept by autograd.grad:", by_grad()() is not None)
gc.enable()
