import autograd.numpy as np
from autograd import grad

weights = np.arange(8.0).reshape(2, 2, 2)
got = grad(lambda x: np.sum(weights * np.transpose(x, (-1, 0, -2))))(np.ones((2, 2, 2)))
true = np.transpose(weights, (1, 2, 0))
print("seen", got.tolist(), "true", true.tolist())
assert np.array_equal(got, true), got
