import autograd.numpy as np
from autograd import make_jvp

x, v = np.array([[2.0, 1.0], [3.0, 4.0]]), np.array([[1.0, 10.0], [100.0, 1000.0]])
got = make_jvp(np.sort)(x)(v)[1]
true = np.array([[10.0, 1.0], [100.0, 1000.0]])
print("seen", got.tolist(), "true", true.tolist())
assert np.array_equal(got, true), got
