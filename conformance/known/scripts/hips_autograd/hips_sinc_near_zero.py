import autograd.numpy as np
from autograd import grad

got, true = grad(grad(np.sinc))(1e-6), -(np.pi**2) / 3
print("seen", got, "true", true)
assert abs(got - true) < 1e-9, got
