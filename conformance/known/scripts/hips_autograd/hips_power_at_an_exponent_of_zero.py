import autograd.numpy as np
from autograd import grad

got = grad(grad(np.power), argnum=1)(1.5, 0.0)
other = grad(grad(np.power, argnum=1))(1.5, 0.0)
print("seen", got, "in the other order", other, "true", 1 / 1.5)
assert abs(got - 1 / 1.5) < 1e-12, got
