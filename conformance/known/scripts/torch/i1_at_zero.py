import torch

third = torch.special.i1
for _ in range(3):
    third = torch.func.grad(third)
zero = torch.tensor(0.0, dtype=torch.float64)
near = third(zero + 1e-2).item()
print("third derivative of i1 at 0:", third(zero).item(), "at 0.01:", near, "true at 0: 0.375")
assert third(zero) == 0.375, third(zero)
