import autograd.numpy as np
from autograd import grad

got = grad(lambda x: np.sum(np.cross(x, np.ones((2, 3)))))(np.ones((1, 3)))
print("seen shape", got.shape, "true", (1, 3))
assert got.shape == (1, 3), got
