import torch
from torch.autograd.functional import jacobian

x = torch.tensor(3.0, requires_grad=True)
rows = jacobian(lambda x: x**3, x)
columns = jacobian(lambda x: x**3, x, vectorize=True, strategy="forward-mode")
assert not rows.requires_grad
assert not columns.requires_grad, columns
