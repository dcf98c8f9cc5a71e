"""Document 004, 2, backward: the argument inputs.

Gradients accumulate in the given inputs only, of which an intermediate tensor may be one; an empty list
raises an error.
"""

import warnings

import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
y = torch.tensor([3.0, 4.0], requires_grad=True)

(x * y).sum().backward(inputs=[x])
print("x.grad =", x.grad.tolist(), "y.grad =", y.grad)
torch.autograd.backward((x * y).sum(), inputs=y)
print("x.grad =", x.grad.tolist(), "y.grad =", y.grad.tolist())

x.grad = None
square = x * x
(square * 5).sum().backward(inputs=[square])
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    print("square.grad =", square.grad.tolist(), "x.grad =", x.grad)

try:
    (x * y).sum().backward(inputs=[])
except Exception as error:
    print("no inputs raise", type(error).__name__)
