import autograd.numpy as np
from autograd import grad

# The second derivative of x * x / |x|, which is |x|, is zero away from zero.
got = grad(grad(np.abs))(1e-300)
print("seen", got, "true", 0.0)
assert got == 0.0, got
