import autograd.numpy as np
from autograd import grad

x = np.arange(6.0)
got = grad(lambda x: np.sum(np.real(np.fft.rfft(x, n=4))))(x)
true = grad(lambda x: np.sum(np.real(np.fft.rfft(x, 4))))(x)
print("seen", got, "true", true)
assert np.allclose(got, true), got
