import torch

x = torch.tensor([[0.0, 0.0], [3.0, 4.0]], requires_grad=True)
y = torch.nn.functional.normalize(x, eps=0.5)  # of the zero row: x / 0.5
(first,) = torch.autograd.grad((y * y).sum(), x, create_graph=True)
(seen,) = torch.autograd.grad(first.sum(), x)
print("first", first.tolist(), "seen", seen.tolist(), "true of the first row", [8.0, 8.0])
assert torch.allclose(seen[0], torch.tensor([8.0, 8.0]))
