import autograd.numpy as np
from autograd import grad

got, true = grad(np.expm1)(-40.0), float(np.exp(-40.0))
print("seen", got, "true", true)
assert abs(got - true) < 1e-3 * true, got
