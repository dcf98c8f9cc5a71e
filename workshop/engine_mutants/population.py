"""All mutants of a library: each target with each of its faults."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cache

from workshop import engine_mutants
from workshop.engine_mutants.engine_fault import EngineFault
from workshop.engine_mutants.signature_faults import faults_of
from workshop.engine_mutants.target import Target, declared
from workshop.engine_mutants.wrappers import Watch, watched

__all__ = ["LIBRARIES", "EngineMutant", "population"]

LIBRARIES = ("torch", "jax")


@dataclass(frozen=True)
class EngineMutant:
    """A target with a fault."""

    target: Target
    fault: EngineFault

    @property
    def name(self) -> str:
        """`torch.autograd.grad: ignores create_graph`."""
        return f"{self.target.name}: {self.fault.text}"

    def opened(self, watch: Watch) -> AbstractContextManager[None]:
        """The target is wrapped, and the watch is told of its calls, meanwhile."""
        return watched(self.target, watch)


@cache
def population(library: str) -> Mapping[str, EngineMutant]:
    """The mutants of a library by name. It is loaded for their signatures."""
    for module in pkgutil.iter_modules(engine_mutants.__path__, f"{engine_mutants.__name__}."):
        if f".targets_of_{library}" in module.name:
            importlib.import_module(module.name)
    found: dict[str, EngineMutant] = {}
    for target in declared().values():
        if target.library == library:
            made = (EngineMutant(target, fault) for fault in faults_of(target))
            found.update({mutant.name: mutant for mutant in made})
    return found
