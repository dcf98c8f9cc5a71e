import torch

a = torch.tensor([[2.0, 0.3], [0.1, 3.0]], dtype=torch.float64, requires_grad=True)
true = torch.autograd.grad(torch.linalg.norm(a) * torch.linalg.norm(torch.linalg.inv(a)), a)[0]
try:
    (gradient,) = torch.autograd.grad(torch.linalg.cond(a, "fro"), a)
except RuntimeError as error:
    raise AssertionError(f"true {true.tolist()}, seen: {error}") from None
print("seen", gradient.tolist(), "true", true.tolist())
assert torch.allclose(gradient, true)
