"""Document 000, "torch.autograd.backward" of the added notes, the scalar example.

Backward of x**2 + y at x = 1, y = 2 gives 2 and 1, whether asked for through the tensor or through
torch.autograd.
"""

import torch

x = torch.tensor(1.0, requires_grad=True)
y = torch.tensor(2.0, requires_grad=True)

z = x**2 + y
z.backward()
print("z =", z.item())
print("x.grad =", x.grad.item())
print("y.grad =", y.grad.item())

x.grad = None
y.grad = None
torch.autograd.backward(x**2 + y)
print("x.grad by autograd.backward =", x.grad.item())
print("y.grad by autograd.backward =", y.grad.item())
