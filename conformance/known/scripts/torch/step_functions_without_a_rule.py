import torch

x, y = torch.tensor(2.5, requires_grad=True), torch.tensor(1.0)
torch.floor(x / y).backward()
print("gradient of floor(x / y):", x.grad.item())
torch.heaviside(x.detach(), y)  # without a gradient it can be called
torch.floor_divide(x, y).backward()
