import torch


def choose(x, y):
    return torch.where(y > 0, x, y)


x = torch.tensor([3.0, 5.0], dtype=torch.float64)
y = torch.tensor([[-1.0, 2.0], [4.0, -6.0]], dtype=torch.float32)
print("loop", choose(x[0], y[0]).dtype)
print("vmap", torch.vmap(choose)(x, y).dtype)
assert torch.vmap(choose)(x, y).dtype == choose(x[0], y[0]).dtype
