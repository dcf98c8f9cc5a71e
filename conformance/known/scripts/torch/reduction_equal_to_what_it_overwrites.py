import torch

index = torch.tensor([0, 1])
for reduction, source in (("amax", [3.0, 5.0]), ("amin", [3.0, 1.0])):
    for name in ("scatter_reduce", "index_reduce"):
        values = torch.tensor(source, requires_grad=True)
        result = getattr(torch.tensor([3.0, 3.0]), name)(0, index, values, reduction, include_self=False)
        (gradient,) = torch.autograd.grad(result.sum(), values)
        print(name, reduction, "seen", gradient.tolist(), "true", [1.0, 1.0])
        assert gradient.tolist() == [1.0, 1.0]
