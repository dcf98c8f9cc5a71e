"""Document 004, 2, grad: the argument is_grads_batched.

The first dimension of each given gradient is then a batch, and the rest must match the output: the rows of
the identity give the rows of the Jacobian, in one call.
"""

import torch

x = torch.tensor([2.0, 5.0], requires_grad=True)

y = torch.stack([x[0] * x[1], x[0] ** 2, 3 * x[1]])
(jacobian,) = torch.autograd.grad(y, x, grad_outputs=torch.eye(3), is_grads_batched=True)
print("Jacobian =", jacobian.tolist())

batch = torch.tensor([[1.0, 10.0, 100.0], [0.0, 0.0, 2.0]])
y = torch.stack([x[0] * x[1], x[0] ** 2, 3 * x[1]])
(products,) = torch.autograd.grad(y, x, grad_outputs=batch, is_grads_batched=True)
print("vectors times Jacobian =", products.tolist())

try:
    torch.autograd.grad(x * 2, x, grad_outputs=torch.ones(2), is_grads_batched=True)
except Exception as error:
    print("a gradient without batch raises", type(error).__name__)
try:
    torch.autograd.grad(x * 2, x, grad_outputs=torch.ones(2, 3), is_grads_batched=True)
except Exception as error:
    print("a batch of another shape raises", type(error).__name__)
