import autograd.numpy as np
from autograd import grad

a = np.ones((2, 2))
got = grad(lambda x: np.sum(np.linalg.multi_dot([x, a, a])))(a)
assert np.array_equal(got, np.full((2, 2), 4.0)), got
