import torch

a = torch.zeros(2, 2, requires_grad=True)
c = torch.zeros(1, 4, requires_grad=True)
w = torch.tensor([1.0, 2.0, 3.0, 4.0])
for _ in range(2):
    ((a.view(4) + c.view(4)) * w).sum().backward()
assert a.grad.view(4).tolist() == [2.0, 4.0, 6.0, 8.0], a.grad
