import autograd.numpy as np
from autograd import grad

z = np.array([[1.0, 0.5], [0.2, 1.0], [0.3, 0.1]])


def f(t):
    return np.real(np.sum(np.linalg.pinv(z + 0.5j + t * 1j * z)))


got, true = grad(f)(0.0), (f(1e-6) - f(-1e-6)) / 2e-6
print("seen", got, "true", true)
assert abs(got - true) < 1e-5, got
