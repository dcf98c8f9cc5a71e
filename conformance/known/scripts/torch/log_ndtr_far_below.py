import torch

derivatives = [torch.special.log_ndtr]
for _ in range(3):
    derivatives.append(torch.func.grad(derivatives[-1]))


def at(order, x):
    return derivatives[order](torch.tensor(x, dtype=torch.float64)).item()


print("second derivative at -1e6:", at(2, -1e6), "true: -1")
print("third derivative at -1000:", at(3, -1000.0), "true: 2e-9")
assert abs(at(2, -1e6) + 1) < 0.01, at(2, -1e6)
assert abs(at(3, -1000.0) - 2e-9) < 1e-10, at(3, -1000.0)
