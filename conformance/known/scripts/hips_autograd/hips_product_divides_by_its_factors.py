import autograd.numpy as np
from autograd import grad

got = grad(np.prod)(np.array([2.0, 0.0, 3.0]))
assert got.tolist() == [0.0, 6.0, 0.0], got
