import weakref

import torch


def program():
    x = torch.tensor(3.0, requires_grad=True)
    (x * x).backward(create_graph=True)
    x.grad = None
    return weakref.ref(x)


alive = [run()() is not None for run in (program, torch.compile(program, backend="aot_eager"))]
assert alive == [False, False], alive
