"""Witnesses: programs of a target, with settings of its options, that a mutant gives another outcome."""

from __future__ import annotations

import contextlib
import re
import warnings
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from workshop.engine_mutants.library import Library, library
from workshop.engine_mutants.population import EngineMutant
from workshop.engine_mutants.target import Probe, Target
from workshop.engine_mutants.wrappers import Watch, watched

Program = tuple[Probe, tuple[str, ...]]


def programs(target: Target) -> Iterator[Program]:
    """Each probe with no option set, with one, and with two."""
    for count in range(3):
        for names in combinations(target.settings, count):
            for probe in target.probes:
                # CO_VARKEYWORDS: a probe without `**options` cannot pass settings on.
                if not names or probe.__code__.co_flags & 8:  # it takes options
                    yield probe, names


def outcome(target: Target, program: Program) -> Any:
    """The result of a program, as plain numbers and flags, or the error that it raises."""
    probe, names = program
    lib = library(target.library)
    reset(target.library)
    settings = {name: target.settings[name] for name in names}
    options = {name: value(_top(lib)) if callable(value) else value for name, value in settings.items()}
    # A warning that is missing, or new, is an outcome as well.
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            result = _plain(lib, probe(_top(lib), **options))
        except Exception as error:
            result = "raised", type(error).__name__, re.sub(r"0x\w+", "", str(error))[:120]
    reset(target.library)
    return result, sorted({type(w.message).__name__ for w in caught})


def _top(lib: Library) -> Any:
    return getattr(lib, lib.name)


def reset(name: str) -> None:
    """Close what a mutant may have left open."""
    if name == "torch":
        import torch

        torch.set_grad_enabled(True)
        torch.autograd.set_detect_anomaly(False)
    else:
        import jax

        jax.config.update("jax_enable_x64", True)
        jax.config.update("jax_debug_nans", False)


def _plain(lib: Library, tree: Any) -> Any:
    """Containers of arrays as containers of numbers."""
    if isinstance(tree, (list, tuple)):
        return [_plain(lib, x) for x in tree]
    if isinstance(tree, dict):
        return {str(key): _plain(lib, x) for key, x in tree.items()}
    if tree is None or isinstance(tree, (bool, int, str)):
        return tree
    if isinstance(tree, float):
        # Rounded, as wrappers may change the order of additions.
        return round(tree, 6)
    return _array(lib, tree)


def _array(lib: Library, x: Any) -> Any:
    history = bool(getattr(x, "requires_grad", False))
    # `force` resolves conjugate and negative bits, which NumPy has not.
    numbers = x.detach().numpy(force=True) if lib.name == "torch" and hasattr(x, "detach") else np.asarray(x)
    if numbers.dtype.kind not in "fciub":
        return str(numbers.dtype), list(numbers.shape)
    rounded = numbers.astype(complex if numbers.dtype.kind == "c" else float)
    return lib.dtype(x), list(numbers.shape), repr(np.round(rounded, 5).tolist()), history


def witness(mutant: EngineMutant, under: Sequence[tuple[Program, Any, set[str]]]) -> str:
    """The first program whose outcome is another than under the neutral mutant; empty if there is none.

    `under` has each program with its outcome under the null wrapper, and the faults that would have acted in it.
    """
    for program, usual, acted in under:
        if mutant.fault.text not in acted:
            continue
        with watched(mutant.target, Watch([mutant.fault])):
            changed = outcome(mutant.target, program)
        if changed == usual:
            continue
        # A wrapper that breaks identity or attributes would show by itself: such a program is no witness.
        neutral = mutant.fault.neutral
        with watched(mutant.target, Watch([neutral] if neutral else [])):
            if outcome(mutant.target, program) == usual:
                probe, names = program
                return f"{probe.__name__}({', '.join(names)})"
    return ""


def null_outcomes(target: Target, faults: Sequence[Any]) -> list[tuple[Program, Any, set[str]]]:
    """Each program with its outcome under wrappers that change nothing, if that is the library's own outcome."""
    outcomes = []
    for program in programs(target):
        outcome(target, program)  # does what is done on first use
        usual = outcome(target, program)
        watch = Watch(faults, live=False)
        with watched(target, watch), contextlib.suppress(Exception):
            if outcome(target, program) == usual:
                outcomes.append((program, usual, watch.acted))
    return outcomes
