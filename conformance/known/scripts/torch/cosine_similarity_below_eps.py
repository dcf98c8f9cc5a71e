import torch

x = torch.tensor([0.1, 0.2, 0.0], requires_grad=True)  # its norm is 0.22
y = torch.tensor([1.0, 2.0, 3.0])
(seen,) = torch.autograd.grad(torch.nn.functional.cosine_similarity(x, y, dim=0, eps=0.5), x)
true = y / y.norm() / 0.5
print("seen", seen.tolist(), "true", true.tolist())
assert torch.allclose(seen, true)
