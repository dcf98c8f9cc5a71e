import autograd.numpy as np
from autograd import grad

got = grad(lambda x: x.astype(int) * 1.0)(np.array(1.7))
assert got == 0.0, got
