import autograd.numpy as np
from autograd import grad, make_jvp

x, v = np.array([0.3, 1.2]), np.array([1.0, 2.0])


def norm(x):
    return np.linalg.norm(x + 0.5j)


seen, true = make_jvp(norm)(x)(v)[1], np.dot(grad(norm)(x), v)
print("seen", seen, "true", true)
assert np.abs(seen - true) < 1e-12
