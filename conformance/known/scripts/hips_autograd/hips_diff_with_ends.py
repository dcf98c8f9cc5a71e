import autograd.numpy as np
from autograd import grad

try:
    got = grad(lambda x: np.sum(np.diff(x, prepend=0.0) ** 2))(np.array([1.0, 2.0]))
    assert np.array_equal(got, [0.0, 2.0]), got
except TypeError as error:
    raise AssertionError("the engine's own rule raises an error") from error
