import autograd.numpy as np
from autograd import grad

got = grad(lambda x: np.sum(np.cumprod(x)))(np.array([2.0, 3.0]))
assert got.tolist() == [4.0, 2.0], got
