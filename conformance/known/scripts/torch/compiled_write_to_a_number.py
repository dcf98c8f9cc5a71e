import torch


def step(x):
    x.add_(1.0)


x = torch.tensor(3.0, dtype=torch.float64)
torch.compile(step, backend="aot_eager")(x)
assert x == 4.0, x  # in single precision, or with x.unsqueeze(0), it is
