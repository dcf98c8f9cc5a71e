import autograd.numpy as np
from autograd import grad
from autograd.scipy.linalg import solve_triangular

a, b = np.array([[2.0, 0.5j], [0.3, 3.0 + 1j]]), np.array([1.0, 2.0])


def f(t):
    return np.real(np.sum(solve_triangular(a * (1 + t * 1j), b, trans=2, lower=True)))


got, true = grad(f)(0.1), (f(0.1 + 1e-6) - f(0.1 - 1e-6)) / 2e-6
print("seen", got, "true", true)
assert abs(got - true) < 1e-5, got
