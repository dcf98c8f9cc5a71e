import autograd.numpy as np
from autograd import grad
from autograd.scipy.linalg import solve_triangular

b = np.array([1.0, 2.0])


def f(a):
    return np.sum(solve_triangular(a, b, lower=True, unit_diagonal=True))


got = grad(f)(np.array([[2.0, 0.5], [0.3, 3.0]]))
print("seen", got.tolist(), "true", [[0.0, 0.0], [-1.0, 0.0]])
assert np.allclose(got, [[0.0, 0.0], [-1.0, 0.0]]), got
