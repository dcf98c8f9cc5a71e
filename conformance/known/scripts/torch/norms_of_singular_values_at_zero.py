import torch

for order in ("fro", 2, "nuc"):
    x = torch.zeros(2, 2, requires_grad=True)
    torch.linalg.matrix_norm(x, order).backward()
    print(order, x.grad.tolist())
    assert not x.grad.any(), x.grad  # zero is the subgradient of smallest norm
