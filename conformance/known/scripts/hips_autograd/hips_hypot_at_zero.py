import autograd.numpy as np
from autograd import grad

got = grad(np.hypot, argnum=(0, 1))(0.0, 0.0)
print("seen", got, "true: a number from -1 to 1")
assert all(np.isfinite(got)), got
