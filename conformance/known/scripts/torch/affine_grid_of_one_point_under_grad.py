import torch

theta = torch.tensor([[[1.0, 0.5, 0.0], [0.0, 1.0, 0.5]]])


def f(theta):
    return torch.nn.functional.affine_grid(theta, (1, 1, 1, 2), align_corners=False).sum()


leaf = theta.clone().requires_grad_()
print("true", torch.autograd.grad(f(leaf), leaf)[0].tolist())
print("seen", torch.func.grad(f)(theta).tolist())  # raises RuntimeError
