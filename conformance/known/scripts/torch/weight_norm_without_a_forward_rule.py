import torch
from torch.func import jvp

length, direction = torch.tensor([[2.0]]), torch.tensor([[1.0, -1.0, 0.5]])
layer = torch.nn.utils.parametrizations.weight_norm(torch.nn.Linear(3, 1, bias=False))
name = "parametrizations.weight.original1"
x = torch.ones(1, 3)
jvp(lambda z: torch.func.functional_call(layer, {name: z}, (x,)), (direction,), (torch.ones(1, 3),))
