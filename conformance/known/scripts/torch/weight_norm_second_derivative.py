import torch
from torch.nn.utils.parametrizations import weight_norm

layer = weight_norm(torch.nn.Linear(3, 1, bias=False, dtype=torch.float64))
length, direction = layer.parametrizations.weight.parameters()
c, v = (torch.tensor(z, dtype=torch.float64) for z in ([[1.0, -2.0, 0.5]], [[0.3, 1.0, -0.5]]))


def second_derivative(weight):
    (first,) = torch.autograd.grad((weight * c).sum(), direction, create_graph=True)
    return torch.autograd.grad((first * v).sum(), direction)[0]


seen = second_derivative(layer.weight)
true = second_derivative(length * direction / direction.norm(dim=1, keepdim=True))
print("seen", seen, "true", true)
assert torch.allclose(seen, true)
