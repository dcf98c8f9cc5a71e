import autograd.numpy as np
from autograd import grad

x = 1e200
seen = [grad(grad(grad(f)))(x) for f in (np.arcsinh, np.arccosh)]
print("seen", seen, "true", [0.0, 0.0])
assert seen == [0.0, 0.0]
