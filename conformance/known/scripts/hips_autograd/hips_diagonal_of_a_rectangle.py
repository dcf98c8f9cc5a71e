import autograd.numpy as np
from autograd import grad

got = grad(lambda x: np.sum(np.diag(x)))(np.ones((3, 4)))
print("seen shape", got.shape, "true", (3, 4))
assert got.shape == (3, 4), got
