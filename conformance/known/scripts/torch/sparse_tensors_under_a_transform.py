import torch
from torch.func import grad

matrix = torch.tensor([[1.0, 0.0], [2.0, 3.0]])
sparse = matrix.to_sparse_csr()
x = torch.tensor([[1.0], [2.0]])
leaf = x.clone().requires_grad_()
(true,) = torch.autograd.grad((sparse @ leaf).sum(), leaf)
print("true", true.tolist())

failures = []
for program in (
    lambda: grad(lambda x: (sparse @ x).sum())(x),
    lambda: torch.vmap(lambda x: x.to_sparse().to_dense())(torch.stack([matrix, matrix])),
):
    try:
        program()
    except RuntimeError as error:
        failures.append(str(error).splitlines()[0][:80])
assert not failures, failures
