import autograd.numpy as np
from autograd import grad

got = grad(np.linalg.det)(np.array([[1.0, 2.0], [2.0, 4.0]]))
assert np.allclose(got, [[4.0, -2.0], [-2.0, 1.0]]), got
