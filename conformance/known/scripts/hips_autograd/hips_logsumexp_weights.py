import autograd.numpy as np
from autograd import grad
from autograd.scipy.special import logsumexp

try:
    got = grad(lambda b: logsumexp(np.zeros(2), b=b))(np.array([1.0, 3.0]))
    assert np.allclose(got, [0.25, 0.25]), got
except TypeError as error:
    raise AssertionError("the engine's own rule raises an error") from error
