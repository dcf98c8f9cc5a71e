import autograd.numpy as np
from autograd import grad


def f(x):  # the real part of (x + i) / |x + i|
    return np.real(np.linalg.slogdet(np.array([[x + 1j, 0.0], [0.0, 1.0]]))[0])


got = grad(f)(0.75)
assert abs(got - 0.512) < 1e-6, got
