"""The backward pass: from cotangents of some results to cotangents of everything they were computed from.

A node is made after the nodes of its inputs. So to run what was recorded last first is all that it takes for every
node to run once, when all of its cotangents have arrived, with their sum. Both walks, over the nodes to order them and
to run them, are loops: a chain of a million operations needs no recursion.

When no graph of the derivative is wanted, cotangents are plain arrays and the rules run on NumPy directly. With
`create_graph` they are Tensors, and running the very same rules records them (notes/autograd; torch.autograd.grad).
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .. import primitives as o
from .aliases import Shape
from .anomaly import check_nan, tell_origin
from .conform import conform
from .modes import state
from .tape import AccumulateGrad, Edge, Node
from .tensor import Tensor


class Pass:
    """One backward pass."""

    def __init__(self, create_graph: bool, keep: bool, targets: Sequence[Edge], accumulate: bool) -> None:
        self.create_graph = create_graph
        self.keep = keep
        # Open levels may have given any saved value a tangent or a batch, which plain arrays cannot carry.
        self.recording = create_graph or bool(state.now.levels)
        self.targets = targets
        self.targeted = {node for node, _ in targets}
        self.accumulate = accumulate
        self.capturing = set() if accumulate else self.targeted
        self.anomaly, self.nan_check = state.now.anomaly, state.now.nan_check
        self.callbacks: list[Callable[[], None]] = []  # called after the pass, see `queue_callback`
        self.received: dict[Node, list[Any]] = {}
        self.sums: set[Edge] = set()  # where cotangents were added up in an array that only this pass has
        self.captured: dict[Edge, Any] = {}

    def run(self, roots: Sequence[Edge], cotangents: Sequence[Any]) -> list[Tensor | None]:
        """Carry the cotangents of the roots backward; return those captured at the targets."""
        order = _order([node for node, _ in roots])
        self.runs = _needed(order, self.targeted, self.accumulate) if self.targets else dict.fromkeys(order, True)
        for (node, output), cotangent in zip(roots, cotangents, strict=False):
            given = cotangent if self.recording else cotangent.array
            slots = self.received.setdefault(node, [None] * len(node.forms))
            slots[output] = given if slots[output] is None else slots[output] + given
        before, state.now.grad = state.now.grad, self.create_graph
        try:
            # Infinities and NaN are results like others, as they are in PyTorch.
            with np.errstate(all="ignore"):
                self._walk(order)
        finally:
            state.now.grad = before
        return [self._to_tensor(self.captured.get(edge)) for edge in self.targets]

    def reaches(self, edge: Edge) -> bool:
        """Whether this pass computes a cotangent for the edge."""
        return edge[0] in self.runs

    def _walk(self, order: Sequence[Node]) -> None:
        """Run the nodes, each of which has then received everything, and pass the results on."""
        runs = self.runs
        for node in order:
            if node not in runs:
                continue
            # Nothing received: all that leads here gave no cotangent. A custom function is called all the same.
            cotangents = self.received.pop(node, None) or [None]
            if node.tensor_hooks:
                self._tensor_hooks(node, cotangents)
            if node in self.capturing:
                self._capture(node, cotangents)
            if runs[node] and node.prehooks:
                cotangents = self._prehooks(node, cotangents)
            if node.retained:
                _retain(node, cotangents)
            if runs[node]:
                results = self._pulled_back(node, cotangents)
                for index, edge in enumerate(node.edges):
                    if edge is not None and results[index] is not None and edge[0] in runs:
                        self._receive(edge, results[index], node, index)

    def _receive(self, edge: Edge, cotangent: Any, sender: Node, index: int) -> None:
        """Add a cotangent, which the sender gives for its input at `index`, to those received for a node's output."""
        node, output = edge
        shape, dtype = node.forms[output]
        array = cotangent.array if isinstance(cotangent, Tensor) else cotangent
        if type(array) is not np.ndarray or array.dtype is not dtype or array.shape != shape:
            cotangent = _fitting(node.forms[output], cotangent, sender, index)
        slots = self.received.get(node)
        if slots is None:
            slots = self.received[node] = [None] * len(node.forms)
        if slots[output] is None:
            slots[output] = cotangent
        elif self.recording:
            slots[output] = slots[output] + cotangent
        elif edge in self.sums:
            slots[output] += cotangent
        else:
            # Not into what came first: a rule may have passed the very same array to several nodes.
            into = cotangent if sender.makes_new() and type(cotangent) is np.ndarray else None
            slots[output] = np.add(slots[output], cotangent, out=into)
            self.sums.add(edge)

    def _pulled_back(self, node: Node, cotangents: list[Any]) -> Sequence[Any]:
        """Apply the node's VJP, then its post-hooks."""
        try:
            results = node.pullback(cotangents, self.recording)
        except Exception:
            if self.anomaly:
                tell_origin(node)
            raise
        if not self.keep:
            # Now rather than at the end, so that memory falls while the pass goes back.
            node.release()
        if node.posthooks:
            results = self._posthooks(node, results, cotangents)
        if self.anomaly and self.nan_check:
            check_nan(node, results)
        return results

    # --- hooks, in PyTorch's order: tensor hooks, capture, pre-hooks of the node, kept gradients, its post-hooks ---

    def _tensor_hooks(self, node: Node, cotangents: list[Any]) -> None:
        for output, table in (node.tensor_hooks or {}).items():
            if output < len(cotangents) and cotangents[output] is not None:
                for hook in list(table.values()):
                    cotangents[output] = self._replaced(hook, cotangents[output])

    def _replaced(self, hook: Any, cotangent: Any) -> Any:
        """Apply a tensor hook to a cotangent; the hook may return another in its place."""
        given = self._to_tensor(cotangent)
        result = hook(given)
        if result is None:
            return self._from_tensor(given)
        if not isinstance(result, Tensor):
            raise TypeError(f"a tensor hook must return a Tensor or None, but returned {type(result).__name__}")
        if result.shape != given.shape:
            raise RuntimeError(
                f"hook has changed the size of value: got {list(result.shape)}, expected {list(given.shape)}"
            )
        if result.dtype != given.dtype:
            raise RuntimeError(f"hook has changed the type of value: got {result.dtype}, expected {given.dtype}")
        return self._from_tensor(result)

    def _prehooks(self, node: Node, cotangents: list[Any]) -> list[Any]:
        for hook in list((node.prehooks or {}).values()):
            given = tuple(self._to_tensor(c) for c in cotangents)
            cotangents = [self._from_tensor(c) for c in _replacing(given, hook(given))]
        return cotangents

    def _posthooks(self, node: Node, results: Sequence[Any], cotangents: list[Any]) -> Sequence[Any]:
        # Hooks see gradients in the form in which they would be passed on.
        pairs = enumerate(zip(node.edges, results, strict=False))
        results = [None if e is None or r is None else _fitting(e[0].forms[e[1]], r, node, i) for i, (e, r) in pairs]
        for hook in list((node.posthooks or {}).values()):
            given = tuple(self._to_tensor(r) for r in results)
            replaced = hook(given, tuple(self._to_tensor(c) for c in cotangents))
            results = [self._from_tensor(r) for r in _replacing(given, replaced)]
        return results

    def _capture(self, node: Node, cotangents: list[Any]) -> None:
        for output, cotangent in enumerate(cotangents):
            if cotangent is not None and (node, output) in self.targets:
                self.captured[node, output] = cotangent

    def _to_tensor(self, cotangent: Any) -> Any:
        """A cotangent as programs see it. Hooks may write to it, so arrays that are broadcast are copied."""
        if cotangent is None or isinstance(cotangent, Tensor):
            return cotangent
        array = np.asarray(cotangent)
        return Tensor.of(array if array.flags.writeable else array.copy())

    def _from_tensor(self, value: Any) -> Any:
        return value if self.recording or value is None else value.array


def _fitting(form: tuple[Shape, Any], cotangent: Any, sender: Node, index: int) -> Any:
    """The cotangent in the form of what it is the cotangent of; RuntimeError that names the sender if it cannot be."""
    try:
        return conform(cotangent, form)
    except RuntimeError as error:
        message = f"Function {sender.name()} returned an invalid gradient at index {index} - {error}"
        raise RuntimeError(message) from None


def _retain(node: Node, cotangents: Sequence[Any]) -> None:
    """Give the results of a node that keep their gradients what they received."""
    for output, kept in (node.retained or {}).items():
        tensor = kept()
        if tensor is not None and output < len(cotangents) and cotangents[output] is not None:
            _keep(tensor, cotangents[output])


def _keep(tensor: Tensor, cotangent: Any) -> None:
    """Add to the kept gradient of a non-leaf: always out of place, so that what was kept before stays as it is."""
    new = cotangent if isinstance(cotangent, Tensor) else Tensor.of(cotangent)
    tensor._grad = o.clone(new) if tensor._grad is None else o.add(tensor._grad, new)


def _replacing(given: tuple[Any, ...], returned: Any) -> tuple[Any, ...]:
    """The gradients that a node's hook returned in place of those given, or these if it returned None."""
    if returned is None:
        return given
    values = tuple(returned) if isinstance(returned, (tuple, list)) else (returned,)
    for value in values:
        if value is not None and not isinstance(value, Tensor):
            raise TypeError(f"a node's hook must return Tensors or None, but returned {type(value).__name__}")
    if len(values) != len(given):
        raise RuntimeError(
            f"hook has returned an incorrect number of values (got {len(values)}, but expected {len(given)}): return "
            "one gradient for each that was given, or None to keep them"
        )
    return values


def _order(roots: Sequence[Node]) -> list[Node]:
    """Every node that the roots lead to, in the order in which they run: what was recorded last is undone first."""
    turns = {node: node.sequence for node in roots}
    found = list(turns)
    for node in found:
        before = node.sequence - 1
        for edge in node.edges:
            if edge is None:
                continue
            below = edge[0]
            turn = below.sequence
            # A leaf's gradient is complete, and hooks may use it, as soon as its last cotangent has arrived.
            if turn > before:
                if turns.get(below, turn) > before:
                    turns[below] = before
            elif below not in turns:
                turns[below] = turn
                found.append(below)
    return sorted(turns, key=turns.__getitem__, reverse=True)


def _needed(order: Sequence[Node], targeted: set[Node], accumulate: bool) -> dict[Node, bool]:
    """Which nodes lie on a way to a target, and whether they must run.

    A target itself need not run, unless it is a leaf and is to accumulate.
    """
    needed = {node: accumulate and isinstance(node, AccumulateGrad) for node in order if node in targeted}
    # In this direction inputs come first, so whether they are needed is settled when a node asks.
    for node in reversed(order):
        for edge in node.edges:
            if edge is not None and edge[0] in needed:
                needed[node] = True
                break
    return needed


class _Running(threading.local):
    """The passes under way in this thread, outermost first."""

    def __init__(self) -> None:
        self.passes: list[Pass] = []


_running = _Running()


def reaches_every_leaf() -> bool:
    """Whether the pass under way accumulates into all leaves, rather than into given inputs only."""
    return all(not p.targets for p in _running.passes)


def innermost() -> Pass | None:
    """The pass under way in this thread; of nested ones the inner."""
    return _running.passes[-1] if _running.passes else None


def run_backward(
    roots: Sequence[Edge],
    cotangents: Sequence[Tensor],
    *,
    keep: bool,
    create_graph: bool,
    targets: Sequence[Edge] = (),
    accumulate: bool = False,
) -> list[Any]:
    """Run a backward pass. With no targets every leaf accumulates; else cotangents are captured at the targets.

    With `accumulate`, leaves among the targets accumulate instead of being captured.
    """
    this = Pass(create_graph, keep, targets, accumulate)
    _running.passes.append(this)
    try:
        results = this.run(roots, cotangents)
    finally:
        _running.passes.remove(this)
    for callback in this.callbacks:
        callback()
    return results
