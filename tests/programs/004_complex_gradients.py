"""Document 004, 2, _make_grads: complex outputs.

An output and the gradient given for it must both be complex or both be real; of different precision they
may be.
"""

import torch

z = torch.tensor([1 + 2j], requires_grad=True)
x = torch.tensor([3.0], requires_grad=True)

try:
    (z * 2j).backward(torch.ones(1))
except Exception as error:
    print("a real gradient of a complex output raises", type(error).__name__)
try:
    (x * 2).backward(torch.ones(1, dtype=torch.cfloat))
except Exception as error:
    print("a complex gradient of a real output raises", type(error).__name__)
print("gradients so far:", z.grad, x.grad)

(z * 2j).backward(torch.ones(1, dtype=torch.cfloat))
print("z.grad =", z.grad.tolist())
(x * 2).backward(torch.ones(1, dtype=torch.double))
print("x.grad =", x.grad.tolist(), x.grad.dtype)
