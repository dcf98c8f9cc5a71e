"""torch.special: special functions."""

from .functions.pointwise import erf, erfc, exp2, expm1, log1p, logit, sinc, xlogy
from .functions.reducing import log_softmax, logsumexp, softmax
from .functions.special import digamma, erfinv, expit, gammainc, gammaln, multigammaln, ndtr, polygamma, psi, xlog1py

__all__ = [
    "digamma", "erf", "erfc", "erfinv", "exp2", "expit", "expm1", "gammainc", "gammaln", "log1p", "log_softmax",
    "logit", "logsumexp", "multigammaln", "ndtr", "polygamma", "psi", "sinc", "softmax", "xlog1py", "xlogy",
]  # fmt: skip
