"""Document 000, "autograd.grad and hook", second part: hooks.

A hook on an intermediate tensor is called with its gradient during backward, and no longer once removed.
"""

import torch

a = torch.ones(2, 2, requires_grad=True)
b = torch.tensor([[0.5, 0.25], [0.125, 2.0]], requires_grad=True)
c = a * b
d = c.sum()


def print_gradient(gradient):
    print("the hook sees", gradient.tolist())


hook = c.register_hook(print_gradient)
d.backward(retain_graph=True)
print("backward with the hook is done")

hook.remove()
d.backward()
print("backward without the hook is done")
print("a.grad =", a.grad.tolist())
