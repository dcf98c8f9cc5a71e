import torch
from torch.func import grad, jvp

x = torch.tensor([0.5, 1.0])


def f(x):
    return torch.nn.functional.glu(x).sum()


print("true", grad(lambda x: grad(f)(x).sum())(x).tolist())
print("seen", grad(lambda x: jvp(f, (x,), (torch.ones(2),))[1])(x).tolist())  # raises RuntimeError
