import torch

a, x = torch.tensor(1.5, requires_grad=True), torch.tensor(2.0, requires_grad=True)
print("by x:", torch.autograd.grad(torch.special.gammainc(a.detach(), x), x)[0].item())
print("by a:", torch.autograd.grad(torch.special.gammainc(a, x.detach()), a)[0].item())
