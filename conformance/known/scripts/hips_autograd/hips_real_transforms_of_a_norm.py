import autograd.numpy as np
from autograd import grad

x = np.arange(4.0)
got = grad(lambda x: np.sum(np.real(np.fft.rfft(x, norm="backward"))))(x)
true = grad(lambda x: np.sum(np.real(np.fft.rfft(x))))(x)
print("seen", got, "true", true)
assert np.allclose(got, true), got
