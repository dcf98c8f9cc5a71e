import torch

one = torch.tensor(1.0)


def derivative(x):
    _, jvp_fn = torch.func.linearize(lambda y: x * y, torch.tensor(5.0))
    return jvp_fn(one)


gradient = torch.func.grad(lambda x: derivative(x) * x)(torch.tensor(3.0))
assert gradient == 6.0, gradient  # of x * x
