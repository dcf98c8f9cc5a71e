import torch

x = torch.tensor(2.0, dtype=torch.float64, requires_grad=True)
y = torch.tensor(0.0, dtype=torch.float64, requires_grad=True)
(by_x,) = torch.autograd.grad(torch.pow(x, y), x, create_graph=True)  # y x^(y - 1)
(seen,) = torch.autograd.grad(by_x, y)
(by_y,) = torch.autograd.grad(torch.pow(x, y), y, create_graph=True)  # x^y log x
(other_way,) = torch.autograd.grad(by_y, x)
print("d2/dx dy of x^y at (2, 0):", seen.item(), "in the other order:", other_way.item(), "true: 0.5")
assert seen == 0.5, seen
