"""Document 004, 2, _make_grads: the shape of a given gradient.

A given gradient must have exactly the shape of its output; it is not broadcast.
"""

import torch

x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)


def give_a_gradient(shape):
    try:
        (x * 2).backward(torch.ones(shape))
        print("a gradient of shape", shape, "is taken")
    except Exception as error:
        print("a gradient of shape", shape, "raises", type(error).__name__)


for shape in ([2], [1], [], [1, 3]):
    give_a_gradient(shape)
try:
    torch.autograd.grad(x * 2, x, grad_outputs=torch.ones(2))
except Exception as error:
    print("autograd.grad with a gradient of shape [2] raises", type(error).__name__)
print("x.grad =", x.grad)

(x * 2).backward(torch.ones([3]))
print("x.grad =", x.grad.tolist())
