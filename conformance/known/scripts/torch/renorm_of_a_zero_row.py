import torch
from torch.func import jacrev

x = torch.tensor([[0.0, 0.0], [3.0, 4.0]], dtype=torch.float64)
second = jacrev(jacrev(lambda x: torch.renorm(x, 2, 0, 1.0).sum()))(x)[0, :, 0]
print("second derivative by the row of zeros, which renorm does not change:", second.tolist(), "true: 0")
assert not second.isnan().any(), second
