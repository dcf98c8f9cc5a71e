"""Document 004, 2, _make_grads: the type of a given gradient.

A given gradient is a tensor or None; a number, or a list of numbers, raises an error, as being of the wrong type.
"""

import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)

try:
    torch.autograd.backward([(x * 3).sum()], [1.0])
except Exception as error:
    print("a number in backward raises", type(error).__name__)
try:
    torch.autograd.grad([(x * 3).sum()], [x], grad_outputs=[1.0])
except Exception as error:
    print("a number in grad raises", type(error).__name__)
try:
    torch.autograd.backward([x * 3], [[1.0, 1.0]])
except Exception as error:
    print("a list in backward raises", type(error).__name__)
print("x.grad =", x.grad)

torch.autograd.backward([(x * 3).sum()], [None])
print("x.grad with None =", x.grad.tolist())
