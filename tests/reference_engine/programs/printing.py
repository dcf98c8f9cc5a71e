"""How tensors print: styles of numbers, lines, what is left out, and notes behind the values."""

import torch
from telling import program


def drawn(*shape):
    """Numbers of both signs, the same on every machine."""
    count = torch.Size(shape).numel()
    return ((torch.arange(count) * 7919) % 2003 - 1001).to(torch.float64).reshape(shape) / 500


@program
def shapes():
    for shape in ((), (1,), (7,), (20,), (40,), (2, 3), (3, 30), (2, 3, 4), (2, 1, 1, 2), (0,), (4, 0)):
        print(drawn(*shape).float())


@program
def many_elements():
    for shape in ((1100,), (40, 40), (2, 600), (11, 10, 10)):
        print(drawn(*shape))
        print((drawn(*shape) * 100).long())


@program
def types():
    for dtype in (torch.float64, torch.int32, torch.int64, torch.bool, torch.complex64, torch.uint8, torch.float16):
        print((drawn(4, 5).abs() * 3).to(dtype), torch.zeros(0, dtype=dtype), torch.zeros((), dtype=dtype))


@program
def styles():
    inf, nan = float("inf"), float("nan")
    for numbers in (
        [nan], [inf, -inf, 1.0], [nan, nan], [0.0, inf], [1.5, nan, -inf], [-1.0, 2.0], [1e10, 1.0], [1e-10],
        [0.0, 0.0], [-0.0, 1.0], [12345.678, 0.1], [1000.0, 1.0], [1001.5, 1.0], [2000.0, 1.0], [1e-5, 1.0],
        [1e5, 1e4], [1e8], [2e8], [0.5, 100.25], [1.0, 10.0, nan],
    ):  # fmt: skip
        print(torch.tensor(numbers), torch.tensor(numbers).double(), torch.tensor(numbers).to(torch.complex64))


@program
def notes():
    x = torch.ones(3, requires_grad=True)
    print(x, x * 2, (x * 2).view(3, 1), x.double().sum(), x[0], torch.ones(40, requires_grad=True) * 1.2345)
    print(torch.ones(7, 7).double().requires_grad_(), torch.zeros(0, requires_grad=True))
    print(torch.ones(14, requires_grad=True).double(), torch.ones(3, 4, requires_grad=True).exp())
    print(torch.nn.Parameter(torch.ones(2, 2)))
