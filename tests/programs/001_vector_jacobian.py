"""Document 001, "2.3.3 Gradients", the mathematics.

Of a vector function, backward computes a vector times the Jacobian: here y = (x0 * x1, x0**2, 3 * x1) at
(2, 5), whose Jacobian is written out row by row.
"""

import torch

x = torch.tensor([2.0, 5.0], requires_grad=True)
y = torch.stack([x[0] * x[1], x[0] ** 2, 3 * x[1]])
v = torch.tensor([1.0, 10.0, 100.0])
y.backward(v)
print("y =", y.tolist())
print("x.grad =", x.grad.tolist())

jacobian = torch.tensor([[5.0, 2.0], [4.0, 0.0], [0.0, 3.0]])
print("v J =", (v @ jacobian).tolist())
