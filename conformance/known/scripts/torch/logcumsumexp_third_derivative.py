import torch
from torch.func import jacrev

x = torch.tensor([0.5], dtype=torch.float64)
seen = jacrev(jacrev(jacrev(lambda x: torch.logcumsumexp(x, 0))))(x).item()
print("third derivative of logcumsumexp of one number, which is that number:", seen, "true: 0")
assert seen == 0.0, seen
