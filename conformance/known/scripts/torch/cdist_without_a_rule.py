import torch

x, y = torch.tensor([[0.0, 0.0]]), torch.tensor([[3.0, 4.0]])
print("reverse mode:", torch.func.grad(lambda x: torch.cdist(x, y).sum())(x).tolist())
print("forward mode:", torch.func.jvp(lambda x: torch.cdist(x, y), (x,), (y,)))
