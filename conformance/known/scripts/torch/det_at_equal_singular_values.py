import torch
from torch.func import grad

a = torch.diag(torch.tensor([2.0, 3.0, 4.0], dtype=torch.float64))
v = torch.tensor([[1.0, 0.5, 0.2], [0.25, -1.0, 0.3], [0.1, 0.7, 0.4]], dtype=torch.float64)
zero = torch.tensor(0.0, dtype=torch.float64)


def along(a):
    return lambda t: torch.linalg.det(a + t * v)


second = grad(grad(along(torch.eye(3, dtype=torch.float64))))(zero)
third = grad(grad(grad(along(a))))(zero)  # at distinct singular values
true = v.trace() ** 2 - (v @ v).trace(), 6 * torch.linalg.det(v)
print("seen", second.item(), third.item(), "true", *(x.item() for x in true))
assert torch.allclose(second, true[0])
assert torch.allclose(third, true[1])
