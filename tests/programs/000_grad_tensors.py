"""Document 000, "torch.autograd.backward" of the added notes, the examples of grad_tensors.

A vector has no implicit gradient; summing it first, and giving ones as grad_tensors, come to the same.
Other values weight the elements, and they must have the shape of the output.
"""

import torch

x = torch.ones(2, requires_grad=True)
z = x + 2
try:
    z.backward()
except Exception as error:
    print("z.backward() raises", type(error).__name__)

z.sum().backward()
print("x.grad by the sum =", x.grad.tolist())

x.grad = None
z = x + 2
z.backward(torch.ones_like(z))
print("x.grad by ones =", x.grad.tolist())

weights = torch.tensor([3.0, 0.5])
x.grad = None
z = x * x
torch.autograd.backward(z, grad_tensors=weights)
print("x.grad by weights =", x.grad.tolist())

x.grad = None
(weights * (x * x)).sum().backward()
print("x.grad by the weighted sum =", x.grad.tolist())

try:
    (x * x).backward(torch.ones(3))
except Exception as error:
    print("three weights for two elements raise", type(error).__name__)

x = torch.ones(1, requires_grad=True)
(x * 5).backward()
print("one element needs no weight: x.grad =", x.grad.tolist())
