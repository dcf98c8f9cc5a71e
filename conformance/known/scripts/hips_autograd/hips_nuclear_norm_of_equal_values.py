import autograd.numpy as np
from autograd import grad

v = np.array([[0.2, 0.7], [-0.4, 1.1]])


def f(t):
    return np.linalg.norm(np.eye(2) + t * v, "nuc")


got, true = grad(grad(f))(0.0), (f(1e-4) - 2 * f(0.0) + f(-1e-4)) / 1e-8
print("seen", got, "true", true)
assert abs(got - true) < 1e-4, got
