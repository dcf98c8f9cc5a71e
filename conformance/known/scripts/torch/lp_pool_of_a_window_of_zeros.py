import torch

x = torch.tensor([[0.0, 0.0, 1.0, 2.0]])


def f(x):
    return torch.nn.functional.lp_pool1d(x, 2.0, 2)


forward = torch.func.jvp(f, (x,), (torch.ones_like(x),))[1].sum().item()
reverse = torch.func.grad(lambda x: f(x).sum())(x).sum().item()
print("forward mode", forward, "reverse mode", reverse)
assert abs(forward - reverse) < 1e-6
