"""The backward pass: from cotangents of some results to cotangents of everything they were computed from.

First the graph is walked once to count, for each node, how many cotangents it will receive. Then nodes run as soon
as all of theirs have arrived, latest created first, so that each runs exactly once, with the sum. Both walks are
loops over explicit lists: a chain of a million operations needs no recursion.

When no graph of the derivative is wanted, cotangents are plain arrays and the rules run on NumPy directly. With
`create_graph` they are Tensors, and running the very same rules records them (notes/autograd; torch.autograd.grad).
"""

from __future__ import annotations

import contextlib
import heapq
import threading
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from . import levels, warn
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
        self.accumulate = accumulate
        self.received: dict[Node, list[Any]] = {}
        self.captured: dict[Edge, Any] = {}
        self.ready: list[tuple[int, int, Node]] = []

    def run(self, roots: Sequence[Edge], cotangents: Sequence[Any]) -> list[Tensor | None]:
        """Carry the cotangents of the roots backward; return those captured at the targets."""
        self.waiting = _count_receivers([edge.node for edge in roots])
        self.needed = _needed(self.waiting, self.targets)
        for edge, cotangent in zip(roots, cotangents, strict=False):
            self._receive(edge, cotangent if self.recording else cotangent.array)
        for node in {edge.node: None for edge in roots}:
            if not self.waiting[node]:
                self._enqueue(node)
        with set_grad_enabled(self.create_graph), np.errstate(all="ignore"):
            while self.ready:
                self._step(heapq.heappop(self.ready)[-1])
        return [self._to_tensor(self.captured.get(edge)) for edge in self.targets]

    def _enqueue(self, node: Node) -> None:
        heapq.heappush(self.ready, (-node.sequence, id(node), node))

    def _receive(self, edge: Edge, cotangent: Any) -> None:
        """Add a cotangent to those that a node has received for one of its outputs."""
        slots = self.received.setdefault(edge.node, [])
        slots.extend([None] * (edge.output + 1 - len(slots)))
        held = slots[edge.output]
        slots[edge.output] = cotangent if held is None else held + cotangent

    def _step(self, node: Node) -> None:
        """Run one node that has received everything, and pass the results on."""
        cotangents = self.received.pop(node, [None])
        self._tensor_hooks(node, cotangents)
        self._capture(node, cotangents)
        results = self._run_node(node, cotangents) if self._runs(node) else [None] * len(node.edges)
        for edge, cotangent in zip(node.edges, results, strict=False):
            if edge is not None:
                self._pass_on(edge, cotangent)

    def _pass_on(self, edge: Edge, cotangent: Any) -> None:
        if cotangent is not None and self._wants(edge):
            self._receive(edge, cotangent)
        self.waiting[edge.node] -= 1
        if not self.waiting[edge.node]:
            self._enqueue(edge.node)

    def _wants(self, edge: Edge) -> bool:
        return self.needed is None or edge.node in self.needed

    def _runs(self, node: Node) -> bool:
        """With targets, only nodes on the way to one run, and a leaf accumulates only if asked to."""
        if self.needed is None:
            return True
        if isinstance(node, AccumulateGrad):
            return self.accumulate and Edge(node, 0) in self.targets
        return self.needed.get(node, False)

    def _run_node(self, node: Node, cotangents: list[Any]) -> Sequence[Any]:
        if node.prehooks:
            cotangents = self._prehooks(node, cotangents)
        results = node.pullback(cotangents, self.recording)
        if not self.keep:
            _release(node)
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
            replaced = hook(given)
            cotangents = [self._from_tensor(c) for c in _as_tuple(given if replaced is None else replaced)]
        return cotangents

    def _posthooks(self, node: Node, results: Sequence[Any], cotangents: list[Any]) -> Sequence[Any]:
        for hook in list((node.posthooks or {}).values()):
            given = tuple(self._to_tensor(r) for r in results)
            replaced = hook(given, tuple(self._to_tensor(c) for c in cotangents))
            results = [self._from_tensor(r) for r in _as_tuple(given if replaced is None else replaced)]
        return results

    def _capture(self, node: Node, cotangents: list[Any]) -> None:
        if not self.targets or self.accumulate:
            return
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


def _as_tuple(value: Any) -> tuple[Any, ...]:
    return tuple(value) if isinstance(value, (tuple, list)) else (value,)


def _count_receivers(roots: Sequence[Node]) -> dict[Node, int]:
    """Every node reachable from the roots, with the number of edges that lead to it."""
    counts: dict[Node, int] = dict.fromkeys(roots, 0)
    pending = list(counts)
    while pending:
        for edge in pending.pop().edges:
            if edge is not None:
                if edge.node not in counts:
                    counts[edge.node] = 0
                    pending.append(edge.node)
                counts[edge.node] += 1
    return counts


def _needed(reachable: dict[Node, int], targets: Sequence[Edge]) -> dict[Node, bool] | None:
    """Which nodes lie on a way to a target, and whether they must run (a target itself need not); None: all."""
    if not targets:
        return None
    targeted = {edge.node for edge in targets}
    needed: dict[Node, bool] = {}
    # Inputs of a node were created before it, so this order settles them first. Leaves come first of all.
    for node in sorted(reachable, key=lambda n: -1 if isinstance(n, AccumulateGrad) else n.sequence):
        leads_on = any(edge is not None and edge.node in needed for edge in node.edges)
        if leads_on or node in targeted:
            needed[node] = leads_on
    return needed


def _refuse_nan(node: Node, results: Sequence[Any]) -> None:
    for index, result in enumerate(results):
        array = result.array if isinstance(result, Tensor) else result
        if array is not None and np.isnan(array).any():
            if node.created_at:
                warn.user(
                    f"Error detected in {node.name()}. Traceback of forward call that caused it:\n{node.created_at}"
                )
            raise RuntimeError(
                f"Function '{node.name()}' returned nan values in its {index}th output: the gradient for its input "
                f"{index} is not a number. The warning above shows where the operation was called."
            )


class _Running(threading.local):
    """The passes under way in this thread, outermost first."""

    def __init__(self) -> None:
        self.passes: list[Pass] = []
        self.held: list[Node] | None = None


_running = _Running()


def _release(node: Node) -> None:
    if _running.held is None:
        node.release()
    else:
        _running.held.append(node)


@contextlib.contextmanager
def one_call() -> Iterator[None]:
    """A block that counts as one call, though it may make many: graphs are freed at its end (used by `func.vmap`)."""
    outer, _running.held = _running.held, _running.held if _running.held is not None else []
    try:
        yield
    finally:
        held, _running.held = _running.held, outer
        if outer is None:
            for node in held or ():
                node.release()


def reaches_every_leaf() -> bool:
    """Whether the pass under way accumulates into all leaves, rather than into given inputs only."""
    return all(not p.targets for p in _running.passes)


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
