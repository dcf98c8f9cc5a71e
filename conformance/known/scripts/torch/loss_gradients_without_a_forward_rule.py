import torch
from torch.func import grad, jvp

x, target, one = torch.tensor(0.3), torch.tensor(0.0), torch.tensor(1.0)
gradient = grad(lambda x: torch.nn.functional.huber_loss(x, target))
print("reverse over reverse", grad(gradient)(x))
print("forward over reverse", jvp(gradient, (x,), (one,)))  # raises NotImplementedError
