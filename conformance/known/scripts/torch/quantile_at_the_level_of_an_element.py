import torch

values = torch.tensor([1.0, 2.0, 3.0, 4.0, 5.0])  # so that quantile(values, q) = 1 + 4 q
slope = torch.func.grad(lambda q: torch.quantile(values, q))
seen = [slope(torch.tensor(q)).item() for q in (0.2, 0.25, 0.3)]
print("derivative by the level at 0.2, 0.25, 0.3:", seen, "true: 4")
assert seen[1] == 4.0, seen
