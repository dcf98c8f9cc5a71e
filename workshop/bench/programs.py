"""The bench's programs in PyTorch's names: the same text runs on PyTorch and on the reference engine."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import problems

Run = Callable[[], Any]


def programs(torch: Any) -> dict[str, Callable[[], Run]]:
    """The functions that prepare each program, for the module to call `torch`; a program returns its gradients."""
    return {
        "chain": lambda: chain(torch),
        "mlp": lambda: mlp(torch),
        "mixture": lambda: mixture(torch),
        "hvp": lambda: hvp(torch),
    }


def leaf(torch: Any, value: Any) -> Any:
    return torch.tensor(value, dtype=torch.float64, requires_grad=True)


def constant(torch: Any, value: Any) -> Any:
    return torch.tensor(value, dtype=torch.float64)


def chained(torch: Any, leaves: list[Any], steps: int) -> Any:
    x, w, b = leaves
    # Each step is four small operations: the engine's own cost per node dominates.
    for _ in range(steps):
        x = torch.tanh(torch.sin(x) * w + b)
    return x.sum()


def chain(torch: Any, steps: int = problems.CHAIN_STEPS) -> Run:
    problem = problems.chain()
    leaves = [leaf(torch, value) for value in (problem.x, problem.w, problem.b)]
    return lambda: torch.autograd.grad(chained(torch, leaves, steps), leaves)


def hvp(torch: Any) -> Run:
    """Reverse over reverse: the gradient of the gradient's product with v."""
    problem = problems.chain()
    x, v = leaf(torch, problem.x), constant(torch, problem.v)
    w, b = constant(torch, problem.w), constant(torch, problem.b)

    def run() -> Any:
        # `create_graph`, so that the second pass differentiates the first.
        (gradient,) = torch.autograd.grad(chained(torch, [x, w, b], problems.HVP_STEPS), x, create_graph=True)
        return torch.autograd.grad(gradient, x, v)

    return run


def mlp(torch: Any) -> Run:
    problem = problems.mlp()
    x, classes = constant(torch, problem.x), constant(torch, problem.classes)
    parameters = [leaf(torch, value) for value in problem.parameters]

    def run() -> Any:
        h, w, b = x, *parameters[:2]
        # The last layer is linear: its output goes into log_softmax.
        for following in range(2, len(parameters), 2):
            h = torch.tanh(h @ w + b)
            w, b = parameters[following : following + 2]
        # One-hot classes: the product picks the logarithm of the right class.
        loss = -(torch.log_softmax(h @ w + b, dim=1) * classes).sum() / problems.BATCH
        return torch.autograd.grad(loss, parameters)

    return run


def mixture(torch: Any) -> Run:
    problem = problems.mixture()
    where, diagonal, below = problems.triangle()
    x, where = constant(torch, problem.x), torch.tensor(where)
    diagonal, below = constant(torch, diagonal), constant(torch, below)
    leaves = [leaf(torch, value) for value in (problem.alphas, problem.means, problem.icf)]

    def run() -> Any:
        alphas, means, icf = leaves
        # The inverse Cholesky factor: a logarithm for each element of the diagonal, the rest as it is.
        entries = icf[:, where]
        factors = entries.exp() * diagonal + entries * below
        logs = icf[:, : problems.DIMENSIONS].sum(1)
        centred = x - means[:, None, :]
        # Points times the factor: their squares sum to the Mahalanobis distance.
        whitened = torch.matmul(centred, factors.transpose(1, 2))
        inner = (alphas + logs)[:, None] - 0.5 * (whitened * whitened).sum(2)
        prior = 0.5 * problems.WISHART_GAMMA**2 * (factors * factors).sum() - problems.WISHART_M * logs.sum()
        likelihood = torch.logsumexp(inner, 0).sum() - problems.POINTS * torch.logsumexp(alphas, 0)
        return torch.autograd.grad(likelihood + prior, leaves)

    return run
