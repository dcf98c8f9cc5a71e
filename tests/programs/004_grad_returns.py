"""Document 004, 2, grad: gradients are returned and not accumulated.

autograd.grad returns the sum of the gradients of the outputs, one per input and in the order of the inputs,
and leaves .grad as it was; backward accumulates.
"""

import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
y = torch.tensor([3.0, 4.0], requires_grad=True)

(x * y).sum().backward()
print("x.grad =", x.grad.tolist())

gradients = torch.autograd.grad([(x * y).sum(), y.sum()], [y, x])
print("gradients of y and x =", [gradient.tolist() for gradient in gradients])
print("x.grad =", x.grad.tolist(), "y.grad =", y.grad.tolist())

(x * y).sum().backward()
print("x.grad after another backward =", x.grad.tolist())
