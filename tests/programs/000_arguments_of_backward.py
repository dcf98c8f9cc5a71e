"""Document 000, "torch.autograd.backward" of the added notes, the list of its arguments.

retain_graph allows a second backward; create_graph makes the gradient differentiable in its turn;
grad_variables is the old name of grad_tensors, honoured with a warning.
"""

import warnings

import torch

x = torch.tensor(2.0, requires_grad=True)
z = x**3
torch.autograd.backward(z, retain_graph=True)
torch.autograd.backward(z)
print("x.grad after two walks =", x.grad.item())
try:
    torch.autograd.backward(z)
except Exception as error:
    print("a third walk raises", type(error).__name__)

x.grad = None
with warnings.catch_warnings():
    # Backward with create_graph warns of a reference cycle, which the last line of this part breaks.
    warnings.simplefilter("ignore")
    torch.autograd.backward(x**3, create_graph=True)
print("first derivative =", x.grad.item())
(second,) = torch.autograd.grad(x.grad, x)
print("second derivative =", second.item())
x.grad = None

with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    torch.autograd.backward(x**3, grad_variables=torch.tensor(0.5))
print("x.grad by grad_variables =", x.grad.item())
print("grad_variables warns:", [warning.category.__name__ for warning in caught])
