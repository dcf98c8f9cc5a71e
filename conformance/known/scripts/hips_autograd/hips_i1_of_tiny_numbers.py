from autograd import grad
from autograd.scipy.special import i1

got = grad(i1)(2.2250738585072014e-308)
print("seen", got, "true", 0.5)
assert got == 0.5, got
