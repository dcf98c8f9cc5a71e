import autograd.numpy as np
from autograd import grad

a = np.array([[2.0, 1j], [-1j, 3.0]])
b = np.array([[1.0, 0.5 + 2j], [0.5 - 2j, 1.0]])


def f(t):
    return np.real(np.sum(np.linalg.cholesky(a + t * b)))


got, true = grad(f)(0.0), (f(1e-6) - f(-1e-6)) / 2e-6
print("seen", got, "true", true)
assert abs(got - true) < 1e-5, got
