"""A sample of JAX's operations."""

from __future__ import annotations

from workshop.mutants.of_engines.operations import faults_of_operation, probed
from workshop.mutants.of_engines.target import NOTHING, target

_OPERATIONS = {
    "one": "sin tanh exp square",
    "positive": "log sqrt",
    "two": "multiply divide maximum where_",
    "matrix": "sum prod cumsum linalg.det linalg.inv",
    "matrices": "matmul",
    "vectors": "dot outer",
}
_CALLS = {
    "where_": lambda jax: lambda x, y: jax.numpy.where(x.real > 0.4, x, y),
    "cumsum": lambda jax: lambda x: jax.numpy.cumsum(x, 0),
}


def _spelled(name: str):  # type: ignore[no-untyped-def]
    import pkgutil

    binary = any(name in _OPERATIONS[kind].split() for kind in ("two", "matrices", "vectors"))

    def found(jax):  # type: ignore[no-untyped-def]
        if name in _CALLS:
            return _CALLS[name](jax)

        def call(*xs):
            return pkgutil.resolve_name(f"jax.numpy.{name}")(*xs)

        return (lambda x, y: call(x, y)) if binary else (lambda x: call(x))

    return found


for _kind, _names in _OPERATIONS.items():
    for _name in _names.split():
        _public = f"jax.numpy.{_name.rstrip('_')}"
        _operands = 2 if _kind in ("two", "matrices", "vectors") and _name != "where_" else 1
        target(_public, what=NOTHING, faults=faults_of_operation("jax", _operands))(probed(_spelled(_name), _kind))
