"""Document 004, 2, backward: several outputs at once.

The gradients of several outputs are added up, each weighted by its own gradient; too few gradients
raise an error.
"""

import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)

torch.autograd.backward([(x * 3).sum(), (x * x).sum()])
print("x.grad =", x.grad.tolist())

x.grad = None
weights = [torch.tensor(10.0), torch.tensor([1.0, 0.5])]
torch.autograd.backward([(x * 3).sum(), x * x], weights)
print("x.grad weighted =", x.grad.tolist())

(gradient,) = torch.autograd.grad([(x * 3).sum(), x * x], [x], grad_outputs=weights)
print("by autograd.grad =", gradient.tolist())

try:
    torch.autograd.backward([(x * 3).sum(), (x * x).sum()], [torch.tensor(1.0)])
except Exception as error:
    print("one gradient for two outputs raises", type(error).__name__)
