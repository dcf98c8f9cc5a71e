import torch
from torch.func import functionalize, grad


def program(x):
    return x * torch.from_numpy(x.numpy())


for run in (program, functionalize(program)):
    try:
        gradient = grad(run)(torch.tensor(3.0))
    except RuntimeError:
        continue  # a tensor that requires grad, or that is wrapped, has no numpy()
    raise AssertionError(f"no error, and the gradient {gradient}")
