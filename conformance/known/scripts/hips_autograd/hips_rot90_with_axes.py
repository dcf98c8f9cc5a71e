import autograd.numpy as np
from autograd import grad

try:
    got = grad(lambda x: np.sum(np.rot90(x, 1, axes=(1, 0))))(np.ones((2, 3)))
    assert np.array_equal(got, np.ones((2, 3))), got
except TypeError as error:
    raise AssertionError("the engine's own rule raises an error") from error
