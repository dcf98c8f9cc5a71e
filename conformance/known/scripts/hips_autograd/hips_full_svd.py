import autograd.numpy as np
from autograd import grad

got = grad(lambda x: np.linalg.svd(x)[1][0])(np.diag([2.0, 1.0]))
assert np.allclose(got, [[1.0, 0.0], [0.0, 0.0]]), got
