import torch

z, one = torch.tensor(-1 + 0.5j, dtype=torch.complex128), torch.tensor(1 + 0j, dtype=torch.complex128)
seen = torch.func.jvp(torch.nn.functional.silu, (z,), (one,))[1].item()
s = 1 / (1 + torch.exp(-z))
true = (s + z * s * (1 - s)).item()
print("seen", seen, "true", true)
assert abs(seen - true) < 1e-12
