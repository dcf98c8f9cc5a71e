"""The backward pass: from cotangents of some results to cotangents of everything they were computed from.

First the graph is walked once to count, for each node, how many cotangents it will receive. Then nodes run as soon
as all of theirs have arrived, latest created first, so that each runs exactly once, with the sum. Both walks are
loops over explicit lists: a chain of a million operations needs no recursion.

When no graph of the derivative is wanted, cotangents are plain arrays and the rules run on NumPy directly. With
`create_graph` they are Tensors, and running the very same rules records them (notes/autograd; torch.autograd.grad).
"""

from __future__ import annotations

import heapq
import operator
import threading
from collections.abc import Sequence
from typing import Any

import numpy as np

from . import levels, warn
from .batched import memory
from .modes import set_grad_enabled, state
from .tape import AccumulateGrad, Edge, Node
from .tensor import Tensor


class Pass:
    """One backward pass."""

    def __init__(self, create_graph: bool, keep: bool, targets: Sequence[Edge], accumulate: bool) -> None:
        self.create_graph = create_graph
        self.keep = keep
        # Open forward levels may have given any saved value a tangent, which plain arrays cannot carry.
        self.recording = create_graph or levels.depth() > 0
        self.targets = targets
        self.targeted = {edge.node for edge in targets}
        self.accumulate = accumulate
        self.received: dict[Node, list[Any]] = {}
        self.captured: dict[Edge, Any] = {}
        self.ready: list[Node] = []  # a heap, in the order of `Node.__lt__`

    def run(self, roots: Sequence[Edge], cotangents: Sequence[Any]) -> list[Tensor | None]:
        """Carry the cotangents of the roots backward; return those captured at the targets."""
        self.waiting = _count_receivers([edge.node for edge in roots])
        self.needed = _needed(self.waiting, self.targeted, self.accumulate)
        for edge, cotangent in zip(roots, cotangents, strict=False):
            self._receive(edge, cotangent if self.recording else cotangent.array)
        for node in {edge.node: None for edge in roots}:
            if not self.waiting[node]:
                heapq.heappush(self.ready, node)
        with set_grad_enabled(self.create_graph), np.errstate(all="ignore"):
            while self.ready:
                self._step(heapq.heappop(self.ready))
        return [self._to_tensor(self.captured.get(edge)) for edge in self.targets]

    def reaches(self, edge: Edge) -> bool:
        """Whether this pass computes a cotangent for the edge."""
        return edge.node in (self.waiting if self.needed is None else self.needed) and edge.node in self.waiting

    def _receive(self, edge: Edge, cotangent: Any) -> None:
        """Add a cotangent to those that a node has received for one of its outputs."""
        node, output = edge
        slots = self.received.get(node)
        if slots is None:
            self.received[node] = [None] * output + [cotangent]
            return
        slots.extend([None] * (output + 1 - len(slots)))
        held = slots[output]
        slots[output] = cotangent if held is None else held + cotangent

    def _step(self, node: Node) -> None:
        """Run one node that has received everything, and pass the results on."""
        cotangents = self.received.pop(node, None) or [None]
        if node.tensor_hooks is not None or node.retained is not None:
            self._tensor_hooks(node, cotangents)
        if node in self.targeted and not self.accumulate:
            self._capture(node, cotangents)
        runs = self.needed is None or self.needed.get(node, False)
        results = self._run_node(node, cotangents) if runs else [None] * len(node.edges)
        for edge, cotangent in zip(node.edges, results, strict=False):
            if edge is not None:
                self._pass_on(edge, cotangent)

    def _pass_on(self, edge: Edge, cotangent: Any) -> None:
        node = edge.node
        if cotangent is not None and (self.needed is None or node in self.needed):
            self._receive(edge, cotangent)
        still = self.waiting[node] = self.waiting[node] - 1
        if not still:
            heapq.heappush(self.ready, node)

    def _run_node(self, node: Node, cotangents: list[Any]) -> Sequence[Any]:
        if node.prehooks:
            cotangents = self._prehooks(node, cotangents)
        try:
            results = node.pullback(cotangents, self.recording)
        except Exception:
            if state.anomaly:
                _tell_origin(node)
            raise
        if not self.keep:
            node.release()
        if node.posthooks:
            results = self._posthooks(node, results, cotangents)
        if state.anomaly and state.check_nan:
            _refuse_nan(node, results)
        return results

    # --- hooks, in PyTorch's order: tensor hooks, kept gradients, capture, then the node's own hooks ---

    def _tensor_hooks(self, node: Node, cotangents: list[Any]) -> None:
        for output, table in (node.tensor_hooks or {}).items():
            if output < len(cotangents) and cotangents[output] is not None:
                for hook in list(table.values()):
                    cotangents[output] = self._replaced(hook, cotangents[output])
        for output, kept in (node.retained or {}).items():
            tensor = kept()
            if tensor is not None and output < len(cotangents) and cotangents[output] is not None:
                tensor.accumulate(cotangents[output])

    def _replaced(self, hook: Any, cotangent: Any) -> Any:
        """What a tensor hook makes of a cotangent."""
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
        return self._from_tensor(result)

    def _prehooks(self, node: Node, cotangents: list[Any]) -> list[Any]:
        for hook in list((node.prehooks or {}).values()):
            given = tuple(self._to_tensor(c) for c in cotangents)
            cotangents = [self._from_tensor(c) for c in _replacing(given, hook(given))]
        return cotangents

    def _posthooks(self, node: Node, results: Sequence[Any], cotangents: list[Any]) -> Sequence[Any]:
        for hook in list((node.posthooks or {}).values()):
            given = tuple(self._to_tensor(r) for r in results)
            replaced = hook(given, tuple(self._to_tensor(c) for c in cotangents))
            results = [self._from_tensor(r) for r in _replacing(given, replaced)]
        return results

    def _capture(self, node: Node, cotangents: list[Any]) -> None:
        for output, cotangent in enumerate(cotangents):
            if cotangent is not None and Edge(node, output) in self.targets:
                self.captured[Edge(node, output)] = cotangent

    def _to_tensor(self, cotangent: Any) -> Any:
        """A cotangent as programs see it. Hooks may write to it, so arrays that are broadcast are copied."""
        if cotangent is None or isinstance(cotangent, Tensor):
            return cotangent
        array = np.asarray(cotangent)
        return Tensor.of(array if array.flags.writeable else array.copy())

    def _from_tensor(self, value: Any) -> Any:
        return value if self.recording or value is None else value.array


def _replacing(given: tuple[Any, ...], returned: Any) -> tuple[Any, ...]:
    """The gradients that a node's hook returned in place of those given, or these if it returned None."""
    if returned is None:
        return given
    values = tuple(returned) if isinstance(returned, (tuple, list)) else (returned,)
    if len(values) != len(given):
        raise RuntimeError(
            f"hook has returned an incorrect number of values (got {len(values)}, but expected {len(given)}): return "
            "one gradient for each that was given, or None to keep them"
        )
    return values


def _count_receivers(roots: Sequence[Node]) -> dict[Node, int]:
    """Every node reachable from the roots, with the number of edges that lead to it."""
    counts: dict[Node, int] = dict.fromkeys(roots, 0)
    pending = list(counts)
    while pending:
        for edge in pending.pop().edges:
            if edge is not None:
                node = edge.node
                if node not in counts:
                    counts[node] = 0
                    pending.append(node)
                counts[node] += 1
    return counts


def _needed(reachable: dict[Node, int], targeted: set[Node], accumulate: bool) -> dict[Node, bool] | None:
    """Which nodes lie on a way to a target, and whether they must run; None: all.

    A target itself need not run, unless it is a leaf and is to accumulate.
    """
    if not targeted:
        return None
    needed = {node: accumulate and isinstance(node, AccumulateGrad) for node in targeted}
    # Inputs of a node were created before it, so this order settles them first.
    for node in sorted(reachable, key=operator.attrgetter("sequence")):
        for edge in node.edges:
            if edge is not None and edge.node in needed:
                needed[node] = True
                break
    return needed


def _refuse_nan(node: Node, results: Sequence[Any]) -> None:
    for index, result in enumerate(results):
        array = memory(result) if isinstance(result, Tensor) else result
        if array is not None and np.isnan(array).any():
            _tell_origin(node)
            raise RuntimeError(
                f"Function '{node.name()}' returned nan values in its {index}th output: the gradient for its input "
                f"{index} is not a number. The warning above shows where the operation was called."
            )


def _tell_origin(node: Node) -> None:
    """Warn, in anomaly mode, where the operation was called whose backward failed."""
    if node.created_at:
        warn.user(f"Error detected in {node.name()}. Traceback of forward call that caused it:\n{node.created_at}")


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
    """Run one backward pass. With no targets every leaf accumulates; else cotangents are captured at the targets.

    With `accumulate`, leaves among the targets accumulate instead of being captured.
    """
    this = Pass(create_graph, keep, targets, accumulate)
    _running.passes.append(this)
    try:
        return this.run(roots, cotangents)
    finally:
        _running.passes.remove(this)
