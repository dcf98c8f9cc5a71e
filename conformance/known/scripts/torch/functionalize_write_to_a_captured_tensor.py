import torch
from torch.func import functionalize, grad

total = torch.zeros(())


def program(x):
    total.add_(x)
    return total


messages = []
for run in (program, functionalize(program)):
    try:
        grad(run)(torch.tensor(3.0))
    except RuntimeError as error:
        messages.append(str(error))
assert "INTERNAL ASSERT" not in messages[1], messages[1]
