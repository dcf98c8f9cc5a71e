"""Document 004, 2, backward: the argument grad_variables.

grad_variables is the deprecated name of grad_tensors: it is honoured with a warning, and both at once raise
an error.
"""

import warnings

import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
weights = torch.tensor([10.0, 100.0])

with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    torch.autograd.backward(x * 2, grad_variables=weights)
print("x.grad =", x.grad.tolist())
print("grad_variables warns:", [warning.category.__name__ for warning in caught])

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    try:
        torch.autograd.backward(x * 2, grad_tensors=weights, grad_variables=weights)
    except Exception as error:
        print("both raise", type(error).__name__)
