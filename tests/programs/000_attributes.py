"""Document 000, "Tensor" of the added notes.

What a tensor tells of itself: whether it requires grad, whether it is a leaf, its gradient and its grad_fn.
"""

import warnings

import torch

x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
y = x**2
z = x + x

print("x requires grad:", x.requires_grad, "is leaf:", x.is_leaf, "grad:", x.grad, "grad_fn:", x.grad_fn)
with warnings.catch_warnings():
    # Asking an intermediate tensor for its gradient warns; here that is not the point.
    warnings.simplefilter("ignore")
    print("y requires grad:", y.requires_grad, "is leaf:", y.is_leaf, "grad:", y.grad)
    print("z requires grad:", z.requires_grad, "is leaf:", z.is_leaf, "grad:", z.grad)
print("y.grad_fn is", y.grad_fn.name())
print("z.grad_fn is", z.grad_fn.name())
print("x.data =", x.data.tolist())
