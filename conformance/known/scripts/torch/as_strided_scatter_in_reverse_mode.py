import torch
from torch.func import grad, jvp

x = torch.tensor([1.0, 2.0, 3.0, 4.0], dtype=torch.float64)
src = torch.tensor([-1.0, -2.0], dtype=torch.float64)
weights = torch.tensor([1.0, 10.0, 100.0, 1000.0], dtype=torch.float64)


def value(x):  # [src[0], x[1], src[1], x[3]]
    return (torch.as_strided_scatter(x, src, (2,), (2,), 0) * weights).sum()


seen = grad(value)(x)
true = torch.tensor([jvp(value, (x,), (e,))[1] for e in torch.eye(4, dtype=torch.float64)])
print("seen", seen.tolist(), "true", true.tolist())
assert true.tolist() == [0.0, 10.0, 0.0, 1000.0], "the tangents are those of x[1] and x[3]"
assert torch.equal(seen, true)
