"""Document 001, "2.3.3 Gradients", the example of interrupting the tracking.

What is computed under no_grad does not require grad and contributes nothing: x**2 + x**3 at 1 has the
gradient 2 and not 5 when the cube is computed so, and the cube itself has no backward. detach() cuts as
well.
"""

import torch

x = torch.tensor(1.0, requires_grad=True)
y1 = x**2
with torch.no_grad():
    y2 = x**3
y3 = y1 + y2

print("x =", x.item(), x.requires_grad)
print("y1 =", y1.item(), y1.requires_grad)
print("y2 =", y2.item(), y2.requires_grad)
print("y3 =", y3.item(), y3.requires_grad)

y3.backward()
print("x.grad =", x.grad.item())

try:
    y2.backward()
except Exception as error:
    print("y2.backward() raises", type(error).__name__)

x.grad = None
y3 = x**2 + (x**3).detach()
y3.backward()
print("x.grad with the cube detached =", x.grad.item())
