import torch

a, b = torch.tensor([1.0, 2.0, 3.0]), torch.tensor([[1.0, 2.0], [3.0, 4.0]])
true = torch.kron(a, b.T.contiguous())
try:
    seen = torch.kron(a, b.T)
except RuntimeError as error:
    raise AssertionError(f"true {true.tolist()}, seen: {error}") from None
print("seen", seen.tolist(), "true", true.tolist())
assert torch.equal(seen, true)
