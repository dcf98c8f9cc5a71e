import autograd.numpy as np
from autograd import grad

got = grad(lambda x: np.sum(np.repeat(x, (1, 2), axis=0)))(np.ones(2))
assert np.array_equal(got, [1.0, 2.0]), got
