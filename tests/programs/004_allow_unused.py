"""Document 004, 2, grad: the argument allow_unused.

An input that the outputs do not depend on raises an error, as does an input that does not require grad;
allow_unused=True gives None for the first.
"""

import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
apart = torch.tensor([3.0, 4.0], requires_grad=True)
plain = torch.tensor([5.0, 6.0])

try:
    torch.autograd.grad((x * x).sum(), [x, apart])
except Exception as error:
    print("an unused input raises", type(error).__name__)

gradients = torch.autograd.grad((x * x).sum(), [x, apart], allow_unused=True)
print("gradients =", gradients[0].tolist(), gradients[1])

try:
    torch.autograd.grad((x * plain).sum(), [x, plain])
except Exception as error:
    print("an input that does not require grad raises", type(error).__name__)
