import torch

x, direction = torch.tensor([0.0, 1000.0]), torch.tensor([1.0, 0.0])
_, seen = torch.func.jvp(lambda x: torch.logcumsumexp(x, 0), (x,), (direction,))
print("tangent:", seen.tolist(), "true: [1, 0], as the first output is the first input")
assert seen.tolist() == [1.0, 0.0], seen
