import torch

a, b = torch.tensor([1.0, 2.0]), torch.tensor([0.5, 3.0])
print("torch.func.grad of the norm:", torch.func.grad(lambda a: torch.linalg.vector_norm(a, 0))(a).tolist())
errors = []
x = a.clone().requires_grad_()
try:
    torch.autograd.grad(torch.linalg.vector_norm(x, 0), x)
except RuntimeError as error:
    errors.append(error)
try:
    torch.func.grad(lambda a, b: torch.dist(a, b, p=0), argnums=(0, 1))(a, b)
except RuntimeError as error:
    errors.append(error)
assert not errors, errors
