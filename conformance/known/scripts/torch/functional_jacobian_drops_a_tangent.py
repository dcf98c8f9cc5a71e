import torch
from torch.autograd.functional import jacobian

x = torch.tensor([1.0, 2.0])
hessian = jacobian(
    lambda x: jacobian(lambda x: x[0] ** 2 * x[1], x, create_graph=True),
    x, vectorize=True, strategy="forward-mode",
)  # fmt: skip
assert hessian.tolist() == [[4.0, 2.0], [2.0, 0.0]], hessian
