import torch
from torch.autograd.graph import register_multi_grad_hook


def program(x, y):
    calls = []
    register_multi_grad_hook((x, y), calls.append)
    (x * y).backward()
    return calls


for run in (program, torch.compile(program, backend="eager")):
    x, y = (torch.tensor(value, requires_grad=True) for value in (2.0, 3.0))
    assert len(run(x, y)) == 1
