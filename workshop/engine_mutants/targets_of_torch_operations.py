"""A sample of PyTorch's operations."""

from __future__ import annotations

from typing import Any

from workshop.engine_mutants.derivative_faults import faults_of_operation, probed
from workshop.engine_mutants.target import NOTHING, target

_OPERATIONS = {
    "one": "sin tanh exp sigmoid square atan sinh",
    "positive": "log sqrt reciprocal rsqrt",
    "two": "mul div pow maximum add sub where_ hypot",
    "matrix": "sum mean prod cumsum trace linalg.det linalg.inv softmax_ logsumexp_",
    "matrices": "matmul linalg.solve",
    "vectors": "dot outer",
}
_CALLS = {
    "where_": lambda torch: lambda x, y: torch.where(x.real > 0.4, x, y),
    "softmax_": lambda torch: lambda x: torch.softmax(x, -1),
    "logsumexp_": lambda torch: lambda x: torch.logsumexp(x, -1),
    "cumsum": lambda torch: lambda x: torch.cumsum(x, 0),
}


def _spelled(name: str) -> Any:
    import pkgutil

    binary = any(name in _OPERATIONS[kind].split() for kind in ("two", "matrices", "vectors"))

    def operation(torch: Any) -> Any:
        if name in _CALLS:
            return _CALLS[name](torch)  # type: ignore[no-untyped-call]

        def call(*xs: Any) -> Any:
            return pkgutil.resolve_name(f"torch.{name}")(*xs)

        return (lambda x, y: call(x, y)) if binary else (lambda x: call(x))

    return operation


for _kind, _names in _OPERATIONS.items():
    for _name in _names.split():
        _public = f"torch.{_name.rstrip('_')}"
        _operands = 2 if _kind in ("two", "matrices", "vectors") and _name != "where_" else 1
        target(_public, what=NOTHING, faults=faults_of_operation("torch", _operands))(probed(_spelled(_name), _kind))
