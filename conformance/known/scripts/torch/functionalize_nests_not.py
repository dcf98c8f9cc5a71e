import torch
from torch.func import functionalize

square = functionalize(functionalize(lambda x: x * x))
assert square(torch.tensor(3.0)) == 9.0
