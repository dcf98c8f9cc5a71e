import torch

x = torch.tensor([100.0, 1e20], requires_grad=True)  # in single precision: the square of 1e20 overflows
(first,) = torch.autograd.grad(torch.nn.functional.gelu(x).sum(), x, create_graph=True)
(seen,) = torch.autograd.grad(first.sum(), x)
print("first", first.tolist(), "seen", seen.tolist(), "true", [0.0, 0.0])
assert torch.equal(seen, torch.zeros(2))
