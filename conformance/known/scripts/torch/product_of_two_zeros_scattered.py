import torch

index = torch.tensor([0, 0])


def product(source):
    return torch.ones(1).scatter_reduce(0, index, source, "prod").sum()


hessian = torch.func.jacrev(torch.func.grad(product), chunk_size=1)(torch.zeros(2))
print("seen", hessian.tolist(), "true", [[0.0, 1.0], [1.0, 0.0]])
assert hessian.tolist() == [[0.0, 1.0], [1.0, 0.0]]
