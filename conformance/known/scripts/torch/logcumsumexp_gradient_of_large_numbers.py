import torch

x = torch.full((2, 3), 1000.0, dtype=torch.float16, requires_grad=True)
cotangent = torch.tensor([[0.6, 0.7, 0.9], [0.8, 0.5, 0.55]], dtype=torch.float16)
(seen,) = torch.autograd.grad(torch.logcumsumexp(x, -1), x, cotangent)
double = x.detach().double().requires_grad_()
(true,) = torch.autograd.grad(torch.logcumsumexp(double, -1), double, cotangent.double())
print("true", true.tolist())
print("seen", seen.tolist())
assert torch.allclose(seen.double(), true, rtol=0.05)
