import torch
from torch.func import jacfwd, jacrev

x = torch.tensor([2.0, 0.0, 3.0], dtype=torch.float64)


def f(x):
    return torch.cumprod(x, 0).sum()  # x0 + x0 x1 + x0 x1 x2


seen = jacrev(jacfwd(f))(x)
print("reverse over forward:", seen.tolist())
assert seen.tolist() == [[0.0, 4.0, 0.0], [4.0, 0.0, 2.0], [0.0, 2.0, 0.0]], seen
