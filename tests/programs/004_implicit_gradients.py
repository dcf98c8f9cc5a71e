"""Document 004, 2, _make_grads: where no gradient need be given.

None means one where the output has a single element, with any number of dimensions; a larger
output raises an error. The source says that None will also do for an output that does not require grad; what
PyTorch makes of that is the behaviour backward_arguments.none_is_accepted_for_an_output_without_requires_grad. Ones for
such an output raise an error.
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
    print("None for a vector raises", type(error).__name__)

try:
    torch.autograd.backward([x.sum(), plain * 3], [None, torch.ones(2)])
except Exception as error:
    print("ones for an output that does not require grad raise", type(error).__name__)
