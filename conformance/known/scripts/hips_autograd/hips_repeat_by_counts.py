import autograd.numpy as np
from autograd import grad

try:
    got = grad(lambda x: np.sum(np.repeat(x, (1, 2), axis=0)))(np.ones(2))
    assert np.array_equal(got, [1.0, 2.0]), got
except TypeError as error:
    raise AssertionError("the engine's own rule raises an error") from error
