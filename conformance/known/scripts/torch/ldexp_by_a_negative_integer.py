import torch

x = torch.tensor([1.0, 1.0], requires_grad=True)
torch.ldexp(x, torch.tensor([-1, 2])).sum().backward()
print("seen:", x.grad.tolist(), "true: [0.5, 4.0]")
assert x.grad.tolist() == [0.5, 4.0], x.grad
