from autograd import grad
from autograd.scipy.special import expit

got, true = grad(expit)(37.43), float(expit(-37.43))
print("seen", got, "true", true)
assert abs(got - true) < 1e-3 * true, got
