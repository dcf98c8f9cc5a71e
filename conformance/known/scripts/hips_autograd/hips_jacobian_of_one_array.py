import autograd.numpy as np
from autograd import jacobian

try:
    got = jacobian(lambda x, y: x * y, (0, 1))(np.ones(2), 2 * np.ones(2))
except TypeError as error:
    raise AssertionError(error) from error
assert np.allclose(got, (2 * np.eye(2), np.eye(2))), got
