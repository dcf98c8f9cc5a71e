import autograd.numpy as np
from autograd import grad

try:
    got = grad(lambda x: np.sum(np.linalg.pinv(x, rcond=1e-4)))(np.eye(2))
    assert np.allclose(got, -np.ones((2, 2))), got
except TypeError as error:
    raise AssertionError("the engine's own rule raises an error") from error
