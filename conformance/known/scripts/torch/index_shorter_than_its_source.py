import torch

source = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
total = torch.zeros(3).scatter_add(0, torch.tensor([0, 1]), source).sum()  # 1 + 2
try:
    (gradient,) = torch.autograd.grad(total, source)
except RuntimeError as error:
    raise AssertionError(f"true [1, 1, 0], seen: {error}") from None
print("seen", gradient.tolist())
assert gradient.tolist() == [1.0, 1.0, 0.0]
