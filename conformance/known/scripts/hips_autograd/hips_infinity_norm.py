import autograd.numpy as np
from autograd import grad

got = grad(lambda x: np.linalg.norm(x, np.inf))(np.array([1.0, -2.0]))
assert got.tolist() == [0.0, -1.0], got
