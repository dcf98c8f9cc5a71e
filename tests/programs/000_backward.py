"""Document 000, "Operations on autograd", second half.

Backward wants a scalar, or else a gradient; a retained graph can be walked again, each walk adds to the
gradients of the leaves, and computing forward changes none of them. The document leaves implicit that a
graph which was not retained raises an error at a second walk: this program shows that too.
"""

import torch

a = torch.ones(3, requires_grad=True)
b = torch.tensor([0.9373, 0.0556, 0.6426], requires_grad=True)
c = a * b
print("c =", [round(value, 4) for value in c.tolist()])

try:
    c.backward(retain_graph=True)
except Exception as error:
    print("c.backward() raises", type(error).__name__)

d = c.sum()
d.backward(retain_graph=True)
print("a.grad =", [round(value, 4) for value in a.grad.tolist()])
print("b.grad =", b.grad.tolist())

e = c.sum()
e.backward(retain_graph=True)
print("b.grad after a second backward =", b.grad.tolist())

f = c.sum()
print("b.grad after another forward =", b.grad.tolist())

f.backward()
print("b.grad after a third backward =", b.grad.tolist())
try:
    f.backward()
except Exception as error:
    print("f.backward() again raises", type(error).__name__)

c = a * b
c.backward(torch.ones(3))
print("b.grad after c.backward(ones) =", b.grad.tolist())
