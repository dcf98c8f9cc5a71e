import torch

x = torch.tensor([[-0.5, -0.25], [0.25, 0.5]], requires_grad=True)
y = torch.linalg.matrix_exp(x)
cotangent = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
(true,) = torch.autograd.grad(y, x, cotangent, retain_graph=True)
(seen,) = torch.autograd.grad(y, x, cotangent * 2.0**20)
print("true", true.tolist())
print("seen", (seen / 2.0**20).tolist())
assert torch.allclose(seen / 2.0**20, true, rtol=0.01)
