import torch

z = torch.tensor([-1 + 0.5j], requires_grad=True)
print("sigmoid", torch.autograd.grad((z * torch.sigmoid(z)).real.sum(), z))
print("silu", torch.autograd.grad(torch.nn.functional.silu(z).real.sum(), z))  # raises RuntimeError
