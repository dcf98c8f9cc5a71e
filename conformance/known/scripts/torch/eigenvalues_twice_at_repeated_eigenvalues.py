import torch
from torch.func import grad

v = torch.tensor([[1.0, 0.5], [0.5, -1.0]], dtype=torch.float64)
zero = torch.tensor(0.0, dtype=torch.float64)
true = 2 * (v * v).sum().item()  # the sum of the squares of all elements of I + t v, twice differentiated
for name in ("eigvalsh", "eigvals"):
    values = getattr(torch.linalg, name)

    def total(t, values=values):
        return (values(torch.eye(2, dtype=torch.float64) + t * v).real ** 2).sum()

    seen = grad(grad(total))(zero).item()
    print(name, "seen", seen, "true", true)
    assert abs(seen - true) < 1e-9, name
