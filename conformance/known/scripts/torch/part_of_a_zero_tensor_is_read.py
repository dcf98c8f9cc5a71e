import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
torch.sgn(torch.cat([torch.ones(1), x])).sum().backward()
print(x.grad.numpy(force=True))
