import autograd.numpy as np
from autograd import make_jvp

try:
    x = np.array([[0.0, 1.0], [2.0, 5.0]])
    got = make_jvp(lambda x: np.var(x, (0, 1)))(x)(np.ones((2, 2)))[1]
    assert abs(got) < 1e-12, got
except NameError as error:
    raise AssertionError("the engine's own rule raises an error") from error
