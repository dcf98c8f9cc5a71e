import torch
from torch.func import hessian, jacfwd

x = torch.tensor([0.0, 2.0, 0.0], dtype=torch.float64)


def f(x):
    return torch.cumprod(x, 0).sum()  # x0 + x0 x1 + x0 x1 x2


seen, other = jacfwd(jacfwd(f))(x), hessian(f)(x)
print("forward over forward:", seen.tolist(), "forward over reverse:", other.tolist())
assert seen.tolist() == [[0.0, 1.0, 2.0], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0]], seen
