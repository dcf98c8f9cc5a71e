import torch
from torch.func import grad

x = torch.tensor(0.5)
print("gradient", grad(torch.nn.functional.hardsigmoid)(x))
print("second derivative", grad(grad(torch.nn.functional.hardsigmoid))(x))  # raises RuntimeError; it is 0
