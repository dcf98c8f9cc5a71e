import torch

x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
y = torch.segment_reduce(x, "prod", lengths=torch.tensor([2, 1]))
(gradient,) = torch.autograd.grad(y.sum(), x, create_graph=True)
print("gradient", gradient)
print("second derivative", torch.autograd.grad(gradient.sum(), x))  # raises RuntimeError
