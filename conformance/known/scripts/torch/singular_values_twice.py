import torch
from torch.func import grad
from torch.linalg import matrix_norm

v = torch.tensor([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 0.5, 0.0]], dtype=torch.float64)
one, h = torch.zeros((), dtype=torch.float64), 1e-3
seen = []
for order, point in (("nuc", torch.eye(3)), (2, torch.diag(torch.tensor([1.0, 1.0, 3.0])))):
    f = lambda t, order=order, point=point: matrix_norm(point.double() + t * v, order)  # noqa: E731
    seen.append(grad(grad(f))(one).item())
    differences = (f(one + h) - 2 * f(one) + f(one - h)) / h**2
    print("order", order, "second derivative:", seen[-1], "by differences:", differences.item())
assert not any(number != number for number in seen), seen
