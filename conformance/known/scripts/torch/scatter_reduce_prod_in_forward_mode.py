import torch

index = torch.tensor([0, 0, 1])
_, tangent = torch.func.jvp(
    lambda source: torch.ones(2).scatter_reduce(0, index, source, "prod"),
    (torch.tensor([2.0, 3.0, 4.0]),),
    (torch.tensor([1.0, 1.0, 1.0]),),
)
print("seen", tangent.tolist(), "true", [5.0, 1.0])
assert tangent.tolist() == [5.0, 1.0]
