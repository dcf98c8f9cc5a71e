import torch

x = torch.tensor([20.0, 89.0], requires_grad=True)  # in single precision: exp(89) overflows
(first,) = torch.autograd.grad(torch.nn.functional.mish(x).sum(), x, create_graph=True)
(seen,) = torch.autograd.grad(first.sum(), x)
print("first", first.tolist(), "seen", seen.tolist(), "true", [0.0, 0.0])
assert torch.allclose(seen, torch.zeros(2), atol=1e-6)
