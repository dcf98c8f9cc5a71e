"""Document 000, "torch.autograd.grad" of the added notes.

It returns a tuple and leaves .grad alone. An input that the output does not depend on raises an error unless
allow_unused asks for None. The document says that only_inputs=False accumulates into the other leaves: that
is outdated; the argument is ignored today, with a warning.
"""

import warnings

import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
y = torch.tensor([3.0, 4.0], requires_grad=True)
apart = torch.tensor([5.0, 6.0], requires_grad=True)

gradients = torch.autograd.grad((x * y).sum(), (x, y))
print("a", type(gradients).__name__, [gradient.tolist() for gradient in gradients])
print("x.grad =", x.grad)

(gradient,) = torch.autograd.grad(x * y, x, grad_outputs=torch.tensor([10.0, 100.0]))
print("weighted gradient =", gradient.tolist())

(first,) = torch.autograd.grad((x**3).sum(), x, create_graph=True)
(second,) = torch.autograd.grad(first.sum(), x)
print("first and second derivative =", first.tolist(), second.tolist())

try:
    torch.autograd.grad((x * y).sum(), (x, apart))
except Exception as error:
    print("an unused input raises", type(error).__name__)
gradients = torch.autograd.grad((x * y).sum(), (x, apart), allow_unused=True)
print("with allow_unused =", gradients[0].tolist(), gradients[1])

with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    (gradient,) = torch.autograd.grad((x * y).sum(), x, only_inputs=False)
print("only_inputs=False warns:", [warning.category.__name__ for warning in caught])
print("gradient =", gradient.tolist(), "y.grad =", y.grad)
