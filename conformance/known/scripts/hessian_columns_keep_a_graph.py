import torch
from torch.autograd.functional import hessian

x = torch.tensor(3.0)
rows = hessian(lambda x: x**3, x)
columns = hessian(lambda x: x**3, x, vectorize=True, outer_jacobian_strategy="forward-mode")
assert not rows.requires_grad
assert not columns.requires_grad, columns
