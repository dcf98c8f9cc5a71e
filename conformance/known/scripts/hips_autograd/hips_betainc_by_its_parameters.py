from autograd import grad
from autograd.scipy.special import betainc

got = grad(betainc, argnum=(0, 1, 2))(1.0, 1.0, 0.5)
assert len(got) == 3, got
