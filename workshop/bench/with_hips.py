"""The bench's programs as users of HIPS autograd write them."""

# mypy: disable-error-code="import-untyped, import-not-found"

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import autograd.numpy as anp
from autograd import grad, make_hvp
from autograd.scipy.special import logsumexp

from . import problems

Run = Callable[[], Any]


def chained(x: Any, w: Any, b: Any, steps: int) -> Any:
    for _ in range(steps):
        x = anp.tanh(anp.sin(x) * w + b)
    return anp.sum(x)


def chain() -> Run:
    problem = problems.chain()
    gradient = grad(chained, (0, 1, 2))
    # The gradient function is made once: only its calls are timed.
    return lambda: gradient(problem.x, problem.w, problem.b, problems.CHAIN_STEPS)


def hvp() -> Run:
    problem = problems.chain()
    # Reverse over reverse, as the other contenders compute it.
    product = make_hvp(lambda x: chained(x, problem.w, problem.b, problems.HVP_STEPS))
    return lambda: (product(problem.x)[0](problem.v),)


def mlp() -> Run:
    problem = problems.mlp()

    def loss(parameters: Any) -> Any:
        h, w, b = problem.x, parameters[0], parameters[1]
        for following in range(2, len(parameters), 2):
            h = anp.tanh(h @ w + b)
            w, b = parameters[following], parameters[following + 1]
        scores = h @ w + b
        logarithms = scores - logsumexp(scores, axis=1, keepdims=True)
        return -anp.sum(logarithms * problem.classes) / problems.BATCH

    return lambda: grad(loss)(problem.parameters)


def mixture() -> Run:
    problem = problems.mixture()
    where, diagonal, below = problems.triangle()

    def likelihood(parameters: Any) -> Any:
        alphas, means, icf = parameters
        entries = icf[:, where]
        factors = anp.exp(entries) * diagonal + entries * below
        logs = anp.sum(icf[:, : problems.DIMENSIONS], 1)
        centred = problem.x - means[:, None, :]
        whitened = anp.matmul(centred, anp.transpose(factors, (0, 2, 1)))
        inner = (alphas + logs)[:, None] - 0.5 * anp.sum(whitened * whitened, 2)
        prior = 0.5 * problems.WISHART_GAMMA**2 * anp.sum(factors * factors) - problems.WISHART_M * anp.sum(logs)
        return anp.sum(logsumexp(inner, 0)) - problems.POINTS * logsumexp(alphas, 0) + prior

    return lambda: grad(likelihood)((problem.alphas, problem.means, problem.icf))


programs: dict[str, Callable[[], Run]] = {"chain": chain, "mlp": mlp, "mixture": mixture, "hvp": hvp}
