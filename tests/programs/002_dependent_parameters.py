"""Document 002, "Learned parameters that depend on one another", and its summary.

Two learned numbers, brought back to their scale, give a third: their ratio. Writing the ratio into the
tensor that it was computed from raises an error at backward; stacking works; detaching the ratio works too, at
the price of its gradient. All three compute the same values. The document wraps this in a Module; here it
is plain functions.
"""

import torch

LARGEST = torch.tensor([2, 4, 2])
SMALLEST = torch.tensor([1, 2, 0])

learned = torch.nn.Parameter(torch.tensor([0.49626, 0.76822]))
weight = torch.nn.Parameter(torch.tensor([[1.0, -2.0, 4.0]]))
bias = torch.nn.Parameter(torch.tensor([0.5]))


def at_scale():
    normalized = torch.zeros([3])
    normalized[0] = learned[0]
    normalized[1] = learned[1]
    return normalized * (LARGEST - SMALLEST) + SMALLEST


def normalized(values):
    return (values - SMALLEST) / (LARGEST - SMALLEST)


def by_writing():
    values = at_scale()
    values[2] = values[0] / values[1]
    return normalized(values)


def by_stacking():
    values = at_scale()
    return normalized(torch.stack([values[0], values[1], values[0] / values[1]]))


def by_detaching():
    values = at_scale()
    values[2] = (values[0] / values[1]).detach()
    return normalized(values)


for form in (by_writing, by_stacking, by_detaching):
    learned.grad = None
    inputs = form()
    eta = weight @ inputs + bias
    print(form.__name__, "gives", [round(value, 4) for value in inputs.tolist()])
    print("eta =", [round(value, 4) for value in eta.tolist()])
    try:
        inputs.sum().backward()
        print("learned.grad =", [round(value, 4) for value in learned.grad.tolist()])
    except Exception as error:
        print("backward raises", type(error).__name__)
