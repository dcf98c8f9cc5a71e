import torch

s, q = torch.tensor(2.0, requires_grad=True), torch.tensor(1.5, requires_grad=True)
print("by q:", torch.autograd.grad(torch.special.zeta(s.detach(), q), q)[0].item())
print("by s:", torch.autograd.grad(torch.special.zeta(s, q.detach()), s)[0].item())
