import torch

x = torch.tensor([1e-17, 2.0, 3.0], dtype=torch.float64, requires_grad=True)
for product in (torch.prod, lambda x: torch.cumprod(x, 0)[-1]):
    (gradient,) = torch.autograd.grad(product(x), x, create_graph=True)
    (row,) = torch.autograd.grad(gradient.sum(), x)
    print("sum of the rows of the Hessian:", row.tolist(), "by forward over reverse:", end=" ")
    print(torch.func.hessian(product)(x.detach()).sum(0).tolist(), "true: [5, 3, 2]")
    assert abs(row[0].item() - 5) < 1e-6
