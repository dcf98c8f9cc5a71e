"""Document 001, "2.3.3 Gradients", the example of a view with weights.

A view stays in the graph; backward of it needs weights of its shape, and they arrive at the leaf in the
leaf's shape.
"""

import torch

x = torch.tensor([1.0, 2.0, 3.0, 4.0], requires_grad=True)
y = 2 * x
z = y.view(2, 2)
print("z =", z.tolist())
print("z.requires_grad =", z.requires_grad)

try:
    z.backward()
except Exception as error:
    print("z.backward() raises", type(error).__name__)

v = torch.tensor([[1.0, 0.1], [0.01, 0.001]], dtype=torch.float)
z.backward(v)
print("x.grad =", [round(value, 4) for value in x.grad.tolist()])
