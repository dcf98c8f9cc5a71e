import autograd.numpy as np
from autograd import grad

got = grad(np.clip, argnum=(0, 1, 2))(2.0, 2.5, 9.0)
assert got == (0.0, 1.0, 0.0), got
