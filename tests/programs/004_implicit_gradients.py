"""Document 004, 2, _make_grads: where no gradient need be given.

None stands for one where the output has a single element, whatever its number of dimensions; a larger
output is refused. The source says that None will also do for an output that does not require grad; the
engine that it calls refuses such an output all the same, with a gradient or without.
"""

import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
plain = torch.tensor([5.0, 6.0])

x.sum().backward(None)
print("x.grad of a scalar =", x.grad.tolist())

x.grad = None
x.sum().view(1, 1).backward()
print("x.grad of shape [1, 1] =", x.grad.tolist())

x.grad = None
torch.autograd.backward([x.sum(), x * 3], [None, torch.tensor([1.0, 10.0])])
print("x.grad of a scalar and a vector =", x.grad.tolist())

try:
    torch.autograd.backward([x.sum(), x * 3], [None, None])
except Exception as error:
    print("None for a vector is refused:", type(error).__name__)


def differentiate_with_a_plain_output(gradient):
    torch.autograd.backward([x.sum(), plain * 3], [None, gradient])


try:
    differentiate_with_a_plain_output(None)
except Exception as error:
    print("None for an output that does not require grad is refused:", type(error).__name__)
try:
    differentiate_with_a_plain_output(torch.ones(2))
except Exception as error:
    print("ones for an output that does not require grad are refused:", type(error).__name__)
