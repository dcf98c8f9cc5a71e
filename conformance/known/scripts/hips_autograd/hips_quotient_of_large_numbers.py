import autograd.numpy as np
from autograd import grad


def sigmoid(x):
    return np.exp(x) / (1 + np.exp(x))


third = grad(grad(grad(sigmoid)))(100.0)
print("third derivative of a sigmoid at 100:", third, "true:", np.exp(-100.0))
assert abs(third) < 1e-6
