"""PyTorch's operator database, by which its own tests are made, as an inventory.

Of each entry with a derivative, up to three samples of different kinds are taken. The rules
below decide what is left out, and why: no entry is named here.
"""

from __future__ import annotations

import random
import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import islice, product
from operator import attrgetter
from typing import Any

import numpy
import torch
from torch.utils._pytree import tree_flatten, tree_unflatten

from conformance.protocol import AdapterError, Inventory, Item

__all__ = ["inventory"]

SEED = 0
# Of each entry, samples that are looked at, and items that are made of them.
LOOKED_AT, TAKEN = 60, 3
# How far differences move a number, and a step that is small beside it.
STEP, SMALL = 0.04, 1e-4
# By name, as their module needs `expecttest`.
ELEMENTWISE = {"UnaryUfuncInfo", "BinaryUfuncInfo"}
# Numbers at which rules of elementwise functions divide, branch or cancel.
SPECIAL = {"zero": 0.0, "one": 1.0, "minus one": -1.0, "tiny": 1e-8}
# Numbers of a sample: laws need some, and many take long.
LARGEST = 10_000


class NotCovered(Exception):
    """An entry, or a sample, without an item; the message is the reason."""


@cache
def inventory() -> Inventory:
    """The inventory. Raises AdapterError without the package `expecttest`, which PyTorch's database imports."""
    try:
        from torch.testing._internal.common_methods_invocations import op_db
    except ModuleNotFoundError as error:
        problem = f"PyTorch's operator database needs the package {error.name!r}: pip install {error.name}"
        raise AdapterError(problem) from None
    items: dict[str, Item] = {}
    uncovered: dict[str, str] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for entry in op_db:
            try:
                items |= _items(entry)
            except NotCovered as why:
                uncovered[_public_name(entry)] = str(why)
    return Inventory(items, uncovered)


def _items(entry: Any) -> dict[str, Item]:
    """The items of an entry. Raises NotCovered if there are none."""
    if not entry.supports_autograd:
        raise NotCovered("its entry says that it has no derivative")
    if torch.float64 not in entry.supported_backward_dtypes("cpu"):
        raise NotCovered("it has no derivative in double precision on the CPU")
    items: dict[str, Item] = {}
    name, why = _name(entry), NotCovered(f"no sample of its entry has between 1 and {LARGEST} numbers to differentiate")
    for sample in _kinds(entry):
        title = f"{_public_name(entry)}, sample {len(items) + 1}{sample.description}"
        try:
            call = _checked(sample)
        except NotCovered as error:
            why = error
            continue
        values = tuple(x.detach().numpy().copy() for x in sample.free)
        points = _points(values, call) if ELEMENTWISE & {each.__name__ for each in type(entry).__mro__} else {}
        items[f"{name}_{len(items) + 1}"] = Item(title, values, call, 2 if entry.supports_gradgrad else 1, points)
        if len(items) == TAKEN:
            break
    if not items:
        raise why
    return items


def _points(values: Sequence[Any], call: Callable[..., Any]) -> dict[str, tuple[Any, ...]]:
    """Of an elementwise function, those with a special number first in one argument, away from poles and ends."""
    points = {}
    for argument, (kind, number) in product(range(len(values)), SPECIAL.items()):
        point = tuple(x.copy() for x in values)
        point[argument].flat[0] = number
        below, at, above = (call(*(torch.from_numpy(x) + step for x in point)) for step in (-SMALL, 0.0, SMALL))
        # By `<`, so that NaN is none: at an end, one side is NaN. An infinite derivative has no multiple by zero.
        if all(((x - y).abs() < 1).all() for side in (below, above) for x, y in zip(side, at, strict=True)):
            points[f"{kind} in argument {argument}" if len(values) > 1 else kind] = point
    return points


class DatabaseSample:
    """A sample of an entry: its function, and its arguments, of which those that require a gradient are free.

    `outputs` are the numbers of the outputs that have a gradient.
    """

    outputs: Sequence[int] | None = None

    def __init__(self, entry: Any, given: Any) -> None:
        self._entry, self._process = entry, given.output_process_fn_grad
        self._leaves, self._form = tree_flatten(((given.input, *given.args), given.kwargs))
        self._at = [at for at, x in enumerate(self._leaves) if _is_free(x)]
        self.fixed = [x for at, x in enumerate(self._leaves) if isinstance(x, torch.Tensor) and at not in self._at]

    def fix(self, arguments: Sequence[int]) -> None:
        """Do not differentiate these. Raises NotCovered if no other is left."""
        self._at = [at for number, at in enumerate(self._at) if number not in arguments]
        if not self._at:
            raise NotCovered("no argument has a gradient")

    @property
    def free(self) -> list[Any]:
        """The arguments that are differentiated."""
        return [self._leaves[at] for at in self._at]

    @property
    def size(self) -> int:
        """Number of numbers that are differentiated; zero where an array has none."""
        return sum(x.numel() for x in self.free) if all(x.numel() for x in self.free) else 0

    @property
    def kind(self) -> str:
        """The options and the numbers of axes of the arrays, which samples of one kind have in common."""
        shown = [f"{x.dtype} {x.ndim}" if isinstance(x, torch.Tensor) else repr(x) for x in self._leaves]
        return f"{self._form} {shown}"

    @property
    def description(self) -> str:
        """The options, for people."""
        arguments, options = tree_unflatten(self._leaves, self._form)
        given = [*(("", x) for x in arguments), *((f"{name}=", x) for name, x in options.items())]
        plain = [
            (name, x) for name, x in given if not any(isinstance(leaf, torch.Tensor) for leaf in tree_flatten(x)[0])
        ]
        return ": " + ", ".join(f"{name}{x!r}" for name, x in plain) if plain else ""

    def __call__(self, *xs: Any) -> Any:
        """The function's tensors for these arguments, in their precision."""
        leaves = [_fixed(x, xs[0].dtype) for x in self._leaves]
        for at, x in zip(self._at, xs, strict=True):
            leaves[at] = x
        arguments, options = tree_unflatten(leaves, self._form)
        output = self._process(self._entry.gradcheck_wrapper(self._entry.get_op(), *arguments, **options))
        tensors = [x for x in tree_flatten(output)[0] if isinstance(x, torch.Tensor)]
        return tuple(tensors if self.outputs is None else (tensors[at] for at in self.outputs))

    def on_copies(self, *xs: Any) -> Any:
        """The same, where the function changes arguments that are not differentiated."""
        leaves, self._leaves = self._leaves, [x.clone() if isinstance(x, torch.Tensor) else x for x in self._leaves]
        try:
            return self(*xs)
        finally:
            self._leaves = leaves


def _is_free(x: Any) -> bool:
    dense = isinstance(x, torch.Tensor) and x.layout == torch.strided
    return dense and x.requires_grad and x.dtype == torch.float64


def _fixed(x: Any, dtype: Any) -> Any:
    """An argument that is not differentiated, in the precision of those that are."""
    if not isinstance(x, torch.Tensor):
        return x
    return x.detach().to(dtype) if x.is_floating_point() and x.dtype != dtype else x.detach()


def _kinds(entry: Any) -> Iterator[DatabaseSample]:
    """The smallest sample of each kind with numbers in it; first of kinds that are far apart in the entry's order."""
    random.seed(SEED)
    numpy.random.seed(SEED)
    torch.manual_seed(SEED)
    # Not `sample_inputs`, which seeds the generators of all devices for each sample, and notes where: most of the time.
    given = islice(entry.sample_inputs_func(entry, "cpu", torch.float64, True), LOOKED_AT)
    by_kind: dict[str, DatabaseSample] = {}
    for sample in (DatabaseSample(entry, sample) for sample in given):
        before = by_kind.get(sample.kind)
        if 0 < sample.size <= LARGEST and (before is None or sample.size < before.size):
            by_kind[sample.kind] = sample
    kinds = list(by_kind.values())
    spread = [round(at * (len(kinds) - 1) / (TAKEN - 1)) for at in range(TAKEN)] if kinds else []
    yield from (kinds[at] for at in dict.fromkeys([*spread, *range(len(kinds))]))


def _checked(sample: DatabaseSample) -> Callable[..., Any]:
    """The function of an item: repeatable, and with a gradient. Raises NotCovered."""
    before = [x._version for x in sample.fixed]
    outputs = _run_sample(sample, sample)
    changes = [x._version for x in sample.fixed] != before
    sample.outputs = [at for at, x in enumerate(outputs) if x.requires_grad and x.numel()]
    if any(outputs[at].dtype not in (torch.float64, torch.complex128) for at in sample.outputs):
        raise NotCovered("its output is not in double precision")
    call = sample.on_copies if changes else sample
    if not all(map(_same, _run_sample(sample, call), _run_sample(sample, call))):
        raise NotCovered("it gives something else each time")
    sample.fix(_unreached(sample, call))
    for step in (STEP, -STEP):
        _run_sample(sample, call, step)
    return call


def _run_sample(sample: DatabaseSample, call: Callable[..., Any], step: float = 0.0) -> Sequence[Any]:
    """The outputs for leaves at this distance from the sample. Raises NotCovered where they have no gradient."""
    leaves = [(x.detach() + step).requires_grad_() for x in sample.free]
    try:
        outputs: Sequence[Any] = call(*leaves)
    except Exception as error:
        where = "beside its point" if step else "at its point"
        raise NotCovered(f"{where} it raises {type(error).__name__}: {str(error).strip().splitlines()[0]}") from None
    if any(x.layout != torch.strided for x in outputs):
        raise NotCovered("its output is sparse")
    if not any(x.requires_grad and x.numel() for x in outputs):
        raise NotCovered("no output with numbers has a gradient")
    return outputs


def _unreached(sample: DatabaseSample, call: Callable[..., Any]) -> list[int]:
    """Which arguments, such as a label, have no gradient, and no derivative: it raises an error to ask for one."""
    leaves = [x.detach().clone().requires_grad_() for x in sample.free]
    try:
        outputs = call(*leaves)
        gradients = torch.autograd.grad(outputs, leaves, [torch.ones_like(x) for x in outputs], allow_unused=True)
    except Exception:
        return []  # left to the laws
    return [at for at, x in enumerate(gradients) if x is None and not _is_smooth(call, leaves, at)]


def _is_smooth(call: Callable[..., Any], leaves: Sequence[Any], at: int) -> bool:
    """Whether the function changes with this argument, and as much to both sides."""

    def value(step: float) -> float:
        moved = [x.detach() + step if number == at else x.detach() for number, x in enumerate(leaves)]
        return float(sum(x.real.sum() for x in call(*moved)))

    left, right = value(0.0) - value(-SMALL), value(SMALL) - value(0.0)
    return abs(right - left) < 0.1 * (abs(right) + abs(left))


def _same(x: Any, y: Any) -> bool:
    # By `==`, which all dtypes have; a NaN is the same as a NaN.
    return bool(x.shape == y.shape and ((x == y) | ((x != x) & (y != y))).all())


def _public_name(entry: Any) -> str:
    variant = f" ({entry.variant_test_name})" if entry.variant_test_name else ""
    for prefix, owner in {"torch": torch, "torch.Tensor": torch.Tensor, "torch.ops.aten": torch.ops.aten}.items():
        try:
            attrgetter(entry.name)(owner)
        except (AttributeError, RuntimeError):
            continue
        return f"{prefix}.{entry.name}{variant}"
    return f"{entry.name}{variant}"


def _name(entry: Any) -> str:
    """The name of an operation: lower-case letters, digits and underscores, beginning with a letter."""
    # `T` is another function than `t`.
    lower = re.sub(r"[A-Z]", lambda match: f"capital_{match[0].lower()}", entry.formatted_name)
    return re.sub(r"\W", "_", lower).strip("_")
