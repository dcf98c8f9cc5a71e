"""What can be done with all of a module's parameters and buffers at once: saving, loading, converting, printing."""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from ..core import dtypes
from ..core.modes import no_grad
from ..core.tensor import Tensor


class IncompatibleKeys(NamedTuple):
    """The names that `load_state_dict` could not match."""

    missing_keys: list[str]
    unexpected_keys: list[str]

    def __repr__(self) -> str:
        return f"IncompatibleKeys{tuple(self)}" if any(self) else "<All keys matched successfully>"


def _entries(module: Any, prefix: str) -> dict[str, Tensor]:
    """Parameters and persistent buffers by dotted name; a shared tensor is there under each of its names."""
    own = {**module._parameters, **{k: v for k, v in module._buffers.items() if k not in module._transient}}
    found = {prefix + name: value for name, value in own.items() if value is not None}
    for name, child in module._modules.items():
        if child is not None:
            found.update(_entries(child, f"{prefix}{name}."))
    return found


def state_dict(module: Any, prefix: str, keep_vars: bool) -> dict[str, Any]:
    """The entries, which share memory with the module; without history unless `keep_vars`."""
    return {name: value if keep_vars else value.detach() for name, value in _entries(module, prefix).items()}


def load(module: Any, given: Any, strict: bool) -> IncompatibleKeys:
    """Copy values in, after everything was checked: a refused dictionary changes nothing."""
    if not hasattr(given, "keys"):
        raise TypeError(f"Expected state_dict to be dict-like, got {type(given)}.")
    own = _entries(module, "")
    keys = IncompatibleKeys([k for k in own if k not in given], [k for k in given if k not in own])
    problems = [
        f"size mismatch for {k}: copying a param with shape {v.shape} from checkpoint, the shape in current model is "
        f"{own[k].shape}."
        for k, v in given.items()
        if k in own and v.shape != own[k].shape
    ]
    if strict and any(keys):
        problems += [f"Missing key(s) in state_dict: {keys.missing_keys}; unexpected key(s): {keys.unexpected_keys}."]
    if problems:
        raise RuntimeError(f"Error(s) in loading state_dict for {type(module).__name__}:\n\t" + "\n\t".join(problems))
    with no_grad():
        for name, value in given.items():
            if name in own:
                own[name].copy_(value)
    return keys


def zero_grad(parameters: Iterable[Tensor], set_to_none: bool) -> None:
    """Forget gradients, or make them zero in place and without the history they may have."""
    for parameter in parameters:
        if parameter._grad is None:
            continue
        if set_to_none:
            parameter.grad = None
        else:
            parameter._grad.detach_()
            parameter._grad.zero_()


def convert(module: Any, dtype: Any) -> Any:
    """Give floating and complex parameters, their gradients and buffers another dtype, keeping their identity."""
    wanted = getattr(dtypes, dtype) if isinstance(dtype, str) else dtype
    if not isinstance(wanted, dtypes.dtype) or not wanted.differentiable:
        raise TypeError(f"nn.Module.to only accepts floating point or complex dtypes, but got {dtype!r}")
    for part in module.modules():
        for value in (*part._parameters.values(), *part._buffers.values()):
            if value is not None and value.dtype.differentiable:
                value.array = value.array.astype(wanted.numpy)
                if value._grad is not None:
                    value._grad = value._grad.detach().to(wanted)
    return module


def represent(module: Any) -> str:
    """The printed form: the class's name, and the children indented."""
    lines = [f"({name}): " + repr(child).replace("\n", "\n  ") for name, child in module._modules.items()]
    extra, name = module.extra_repr(), type(module).__name__
    if not lines:
        return f"{name}({extra})"
    return f"{name}(\n  " + "\n  ".join(([extra] if extra else []) + lines) + "\n)"
