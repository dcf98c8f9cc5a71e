import autograd.numpy as np
from autograd import grad

got = grad(lambda a: np.sum(np.linalg.solve(a, np.ones((3, 2, 2)))))(np.eye(2))
print("seen shape", got.shape, "true", (2, 2))
assert got.shape == (2, 2), got
