import autograd.numpy as np
from autograd import grad

kinds = []


def f(x):
    stacked = np.dstack([x, 2 * x])
    kinds.append(stacked.dtype)
    return np.sum(stacked)


got = grad(f)(np.ones((2, 3)))
print("seen", kinds[0], "true", got.dtype)
assert kinds[0] == got.dtype, kinds
