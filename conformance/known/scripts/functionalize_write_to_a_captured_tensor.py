import torch
from torch.func import functionalize, grad

total = torch.zeros(())


def program(x):
    total.add_(x)
    return total


for run in (program, functionalize(program)):
    try:
        grad(run)(torch.tensor(3.0))
    except RuntimeError as error:
        assert "captured Tensor" in str(error), error
