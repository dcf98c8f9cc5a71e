import math

import torch

radius, angle = torch.tensor(0.0, requires_grad=True), torch.tensor(1.0)
(slope,) = torch.autograd.grad(torch.polar(radius, angle).real, radius)  # of r cos(1)
_, tangent = torch.func.jvp(lambda r: torch.polar(r, angle).real, (torch.tensor(0.0),), (torch.tensor(1.0),))
print("seen", slope.item(), "forward mode", tangent.item(), "true", math.cos(1.0))
assert math.isclose(slope.item(), math.cos(1.0), rel_tol=1e-5)
