import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
b = torch.tensor([3.0, 5.0])
y = torch.kron(x, b)
b.zero_()
try:
    y.sum().backward()
except RuntimeError:
    # An error is right, too.
    pass
else:
    assert x.grad.tolist() == [8, 8], x.grad
