import autograd.scipy.special as special
from autograd import grad

seen = [grad(special.rgamma)(x) for x in (0.0, -1.0, 1e-6)]
print("seen", seen, "true", [1.0, -1.0, "about 1"])
assert abs(seen[0] - 1) < 1e-12
assert abs(seen[1] + 1) < 1e-12
