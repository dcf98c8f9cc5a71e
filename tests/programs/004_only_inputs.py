"""Document 004, 2, grad: the argument only_inputs.

only_inputs is deprecated and ignored: False only warns, and the other leaves receive nothing.
"""

import warnings

import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
y = torch.tensor([3.0, 4.0], requires_grad=True)

with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    (gradient,) = torch.autograd.grad((x * y).sum(), x, only_inputs=False)
print("gradient =", gradient.tolist())
print("only_inputs=False warns:", [warning.category.__name__ for warning in caught])
print("x.grad =", x.grad, "y.grad =", y.grad)
