import autograd.numpy as np
from autograd import grad
from autograd.scipy.linalg import sqrtm

z = np.array([[2.4, 0.1], [0.4, 3.2]])


def f(t):
    return np.imag(np.sum(sqrtm(z + t * 1j * z)))


got, true = grad(f)(0.1), (f(0.1 + 1e-6) - f(0.1 - 1e-6)) / 2e-6
print("seen", got, "true", true)
assert abs(got - true) < 1e-5, got
