import torch

x = torch.tensor(1.5, dtype=torch.float64, requires_grad=True)
degree = torch.tensor(2)
(seen,) = torch.autograd.grad(x + torch.special.hermite_polynomial_he(x, degree), x)
print("derivative of x + He2(x), which is x + x^2 - 1, at 1.5:", seen.item(), "true: 4")
x = torch.tensor(1.5, dtype=torch.float64)
airy = torch.func.grad(torch.special.airy_ai)(x)
print("torch.func.grad of airy_ai at 1.5:", airy.item(), "true: -0.0973820")
assert seen == 4.0, seen
assert abs(airy + 0.0973820) < 1e-6, airy
