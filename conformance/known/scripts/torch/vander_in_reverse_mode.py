import torch

x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
try:
    (gradient,) = torch.autograd.grad(torch.vander(x).sum(), x)
except RuntimeError as error:
    raise AssertionError(f"true [3, 5, 7], seen: {error}") from None
print("seen", gradient.tolist(), "true", [3.0, 5.0, 7.0])
assert gradient.tolist() == [3.0, 5.0, 7.0]
