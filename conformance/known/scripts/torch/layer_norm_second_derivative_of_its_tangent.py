import torch
from torch.func import grad, jvp

x, v, c = (torch.tensor(z, dtype=torch.float64) for z in ([1.2, -1.0, -0.4], [0.3, 1.0, -0.5], [1.0, -2.0, 0.5]))


def f(t):
    return (torch.nn.functional.layer_norm(x + t * v, (3,), eps=0.1) * c).sum()


t, one = torch.zeros((), dtype=torch.float64), torch.ones((), dtype=torch.float64)
seen = jvp(lambda t: jvp(f, (t,), (one,))[1], (t,), (one,))[1].item()
true = grad(grad(f))(t).item()  # and by group_norm with one group, in all modes
print("seen", seen, "true", true)
assert abs(seen - true) < 1e-9
