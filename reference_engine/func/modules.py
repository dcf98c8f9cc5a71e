"""Modules as functions of their parameters: functional_call and stack_module_state (torch.func)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from .. import primitives as o
from ..nn.module import Module

Entries = dict[str, Any]


def functional_call(
    module: Module,
    parameter_and_buffer_dicts: Any,
    args: Any = None,
    kwargs: dict[str, Any] | None = None,
    *,
    tie_weights: bool = True,
    strict: bool = False,
) -> Any:
    """The module called with other parameters, by dotted name, in place of its parameters (torch.func).

    `parameter_and_buffer_dicts` is a dictionary or several with different names; what they leave out stays as it is,
    unless `strict`. With `tie_weights` a value is used for all names of a shared parameter. Afterwards the
    module is as before. Source: torch.func.functional_call.

    ValueError for a name in two dictionaries, or tied names with different values; RuntimeError for unfit names.
    """
    given = _merged(parameter_and_buffer_dicts)
    own = dict(module.named_parameters(remove_duplicate=False))
    _check_names(given, own, strict)
    known = {name: value for name, value in given.items() if name in own}
    entries = _tied(known, own) if tie_weights else known
    # PyTorch takes a single argument without a tuple around it.
    positional = () if args is None else args if isinstance(args, tuple) else (args,)
    with _swapped(module, entries):
        return module(*positional, **(kwargs or {}))


def _merged(dicts: Any) -> Entries:
    """One dictionary."""
    if isinstance(dicts, dict):
        return dicts
    if not isinstance(dicts, Sequence) or not all(isinstance(d, Mapping) for d in dicts):
        raise ValueError(f"Expected parameter_and_buffer_dicts to be a dict, or a sequence of dicts, got {type(dicts)}")
    names = [name for d in dicts for name in d]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"{twice} appeared in multiple dictionaries; behavior of functional call is ambiguous")
    return {name: value for d in dicts for name, value in d.items()}


def _check_names(given: Entries, own: Entries, strict: bool) -> None:
    unexpected = [name for name in given if name not in own]
    missing = [name for name in own if name not in given]
    if strict and (unexpected or missing):
        raise RuntimeError(
            f"functional_call: Missing key(s): {missing}. Unexpected key(s): {unexpected}. The module has {list(own)}."
        )


def _tied(given: Entries, own: Entries) -> Entries:
    """The entries, with a value for a name of a shared parameter copied to its other names."""
    entries = dict(given)
    for name, value in given.items():
        # Shared parameters are the same object under several names.
        twins = [other for other, tensor in own.items() if tensor is own[name]]
        if not all(_same(given.get(twin, value), value) for twin in twins):
            raise ValueError(f"functional_call got multiple values for keys {twins}, which are tied: tie_weights=False")
        entries.update(dict.fromkeys(twins, value))
    return entries


def _same(first: Any, second: Any) -> bool:
    return first is second or np.array_equal(first.array, second.array)


@contextmanager
def _swapped(module: Module, entries: Entries) -> Iterator[None]:
    """A block in which the entries are the module's parameters; afterwards its own are back."""
    # All lookups before the first exchange: a wrong name must leave the module untouched.
    places = {}
    for name in entries:
        path, _, key = name.rpartition(".")
        places[name] = module.get_submodule(path)._parameters, key
    before = {name: table[key] for name, (table, key) in places.items()}
    for name, (table, key) in places.items():
        table[key] = entries[name]
    try:
        yield
    finally:
        for name, (table, key) in places.items():
            table[key] = before[name]


def stack_module_state(models: Sequence[Module]) -> tuple[Entries, Entries]:
    """The parameters of modules of the same class by name, stacked into new leaves, and their buffers: none.

    RuntimeError for no modules, or for modules of several classes or modes. Source: torch.func.stack_module_state.
    """
    if not models:
        raise RuntimeError("stack_module_state: Expected at least one model, got 0.")
    if len({(type(model), model.training) for model in models}) > 1:
        raise RuntimeError("stack_module_state: Expected all models to be of the same class, in the same mode")
    all_parameters = [dict(model.named_parameters()) for model in models]
    return {name: _stacked([own[name] for own in all_parameters]) for name in all_parameters[0]}, {}


def _stacked(parameters: list[Any]) -> Any:
    """A new leaf; RuntimeError where some of the parameters require grad and some do not."""
    if len({parameter.requires_grad for parameter in parameters}) > 1:
        raise RuntimeError("Expected Parameters from each model to have the same .requires_grad")
    # Detached: the copies are new leaves, to be trained apart from the models.
    return o.stack(*parameters, dim=0).detach().requires_grad_(parameters[0].requires_grad)
