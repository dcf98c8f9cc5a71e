"""Document 001, "2.3.3 Gradients", the example of .data.

Writing through .data changes the value of the leaf and is not recorded: the gradient of 2 * x stays 2, and
x still requires grad.
"""

import torch

x = torch.ones(1, requires_grad=True)
print("x.data =", x.data.tolist())
print("x.data.requires_grad =", x.data.requires_grad)

y = 2 * x
x.data *= 100
y.backward()
print("x =", x.tolist(), x.requires_grad)
print("x.grad =", x.grad.tolist())
