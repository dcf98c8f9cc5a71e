"""All mutants of a library: each target with each of its faults."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from workshop import engine_mutants
from workshop.engine_mutants.engine_fault import EngineFault
from workshop.engine_mutants.signature_faults import faults_of
from workshop.engine_mutants.target import Target, declared
from workshop.engine_mutants.wrappers import Watch, watched
from workshop.mutant import Mutant, by_patch
from workshop.mutant_record import grouped

LIBRARIES = ("torch", "jax")
RECORD = Path(__file__).with_name("recorded.json")


@dataclass(frozen=True)
class EngineMutant(Mutant):
    """A public function with a fault, called `torch.autograd.grad: ignores create_graph`."""

    target: Target = field(kw_only=True)
    fault: EngineFault = field(kw_only=True)


@cache
def population(library: str) -> Mapping[str, EngineMutant]:
    """The mutants of a library by name. It is loaded for their signatures."""
    # The tables register themselves, and import their library: the other's are left alone.
    for module in pkgutil.iter_modules(engine_mutants.__path__, f"{engine_mutants.__name__}."):
        if f".targets_of_{library}" in module.name:
            importlib.import_module(module.name)
    targets = [target for target in declared().values() if target.library == library]
    mutants = [_mutant(target, fault) for target in targets for fault in faults_of(target)]
    return {mutant.name: mutant for mutant in mutants}


def _mutant(target: Target, fault: EngineFault) -> EngineMutant:
    name, what = f"{target.name}: {fault.text}", f"{target.name} {fault.text}"
    change = by_patch(lambda: watched(target, Watch([fault])))
    return EngineMutant(name, target.library, what, change, fault.family, target=target, fault=fault)


def groups(mutants: Iterable[EngineMutant]) -> dict[str, list[str]]:
    """The names of mutants by public function, as the record has them."""
    return grouped((mutant.target.name, mutant.name) for mutant in mutants)
