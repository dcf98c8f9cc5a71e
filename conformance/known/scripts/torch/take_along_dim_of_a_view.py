import torch

x = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
indices = torch.tensor([1, 4])

true = torch.take_along_dim(x.T.contiguous(), indices)  # without dim, of the flattened input: [4, 5]
print("true", true.tolist())
seen = torch.take_along_dim(x.T, indices)
assert torch.equal(seen, true)
