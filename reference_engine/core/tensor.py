"""A tensor: numbers, plus what autograd needs to know about them.

The numbers are a NumPy array in `array`; memory is shared between tensors exactly when NumPy shares it. Beside it
stand the version counter (shared by a tensor, its views and its detached twins), and either a flag (a *leaf*
whose gradient is wanted) or a node of the tape (the result of a recorded operation). Everything else is optional
and lives in class-level defaults, so that making a tensor costs two assignments.

Operations are not here: `functions.attach` hangs the operators and methods onto this class; all go to primitives.
Sources: torch.Tensor, notes/autograd.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import primitives as o
from . import dtypes, hooks, warn
from .modes import state
from .primitive import Traced
from .tape import AccumulateGrad, Edge, Node


class Size(tuple[int, ...]):
    """The shape of a tensor: a tuple of sizes (torch.Size)."""

    def numel(self) -> int:
        """The number of elements of a tensor of this shape."""
        return int(np.prod(self))

    def __repr__(self) -> str:
        return f"torch.Size({list(self)})"


class Version:
    """Counts the in-place changes made to a piece of memory."""

    # In the class, because most memory is never changed, and every operation makes a counter.
    value = 0


class Tensor(Traced):
    """An n-dimensional array that autograd can follow (torch.Tensor).

    ``Tensor(sequence)`` and ``Tensor(*sizes)`` are the old constructors, always of the default dtype; programs
    should say ``torch.tensor(...)`` or ``torch.zeros(...)``.
    """

    array: Any
    version: Version
    output = 0
    inference = False
    link: Any = None
    tangents: dict[int, Tensor] | None = None
    retains_grad = False
    _node: Node | None = None
    _requires_grad = False
    _grad: Tensor | None = None
    _leaf_hooks: hooks.HookTable | None = None
    _post_accumulate: hooks.HookTable | None = None
    _accumulator: Callable[[], Node | None] = staticmethod(lambda: None)
    __array_priority__ = 1000  # lets `array * tensor` reach Tensor.__rmul__

    if TYPE_CHECKING:
        # What `functions.attach` adds at run time, for the type checker.
        __add__: Any
        __radd__: Any
        __sub__: Any
        __mul__: Any
        __rmul__: Any
        __truediv__: Any
        __pow__: Any
        __getitem__: Any
        __len__: Any
        __iter__: Any
        backward: Any
        data: Any
        volatile: Any
        mul_: Any
        div_: Any
        pow_: Any

        def __getattr__(self, name: str) -> Any:
            """Any other attached method."""

    def __init__(self, *data: Any) -> None:
        sizes = all(isinstance(d, int) for d in data)
        first = data[0] if data else None
        values = np.zeros(data or 0) if sizes else np.array(first.tolist() if isinstance(first, Tensor) else first)
        self.array, self.version = values.astype(dtypes.get_default_dtype().numpy), Version()

    @staticmethod
    def of(array: Any) -> Tensor:
        """Wrap an array, sharing its memory, as a tensor without history."""
        tensor = Tensor.__new__(Tensor)
        tensor.array = array if type(array) is np.ndarray else np.asarray(array)
        tensor.version = Version()
        return tensor

    def alias(self, edge: Edge | None = None) -> Tensor:
        """Another tensor with the same memory and version counter, and the given history or none."""
        twin = Tensor.__new__(Tensor)
        twin.array, twin.version = self.array, self.version
        if self.inference:
            twin.inference = True
        if edge is not None:
            twin._node, twin.output = edge
        return twin

    def copied(self) -> Tensor:
        """The contents as they are now, in memory of their own, without history."""
        return Tensor.of(self.array.copy())

    def twin(self, edge: Edge | None = None) -> Tensor:
        """An alias that carries the same tangents."""
        twin = self.alias(edge)
        twin.tangents = self.tangents
        return twin

    # --- history ---------------------------------------------------------------------------------

    @property
    def grad_fn(self) -> Node | None:
        """The node of the operation that made this tensor; None for a leaf."""
        if self.link is not None:
            self.link.refresh(self)
        return self._node

    @property
    def output_nr(self) -> int:
        """Which output of its `grad_fn` this tensor is."""
        return self.output

    def edge(self) -> Edge | None:
        """Where cotangents of this tensor go; None if nobody wants them."""
        node = self._node if self.link is None else self.grad_fn
        if node is not None:
            return Edge(node, self.output)
        return Edge(self.accumulator(), 0) if self._requires_grad else None

    def accumulator(self) -> Node:
        """The node that accumulates into this leaf: one at a time, kept alive by the graphs that use it."""
        node = self._accumulator()
        if node is None:
            node = AccumulateGrad(self)
            # Weakly: the node holds the leaf, and a strong cycle would need the garbage collector.
            self._accumulator = weakref.ref(node)
        return node

    @property
    def is_leaf(self) -> bool:
        """True if no recorded operation made this tensor (torch.Tensor.is_leaf)."""
        return self.grad_fn is None

    @property
    def requires_grad(self) -> bool:
        """Whether operations on this tensor are recorded; settable on leaves of floating or complex dtype."""
        return self._requires_grad or self._node is not None or (self.link is not None and self.grad_fn is not None)

    @requires_grad.setter
    def requires_grad(self, wanted: bool) -> None:
        if not isinstance(wanted, bool):
            raise RuntimeError(f"requires_grad must be a bool, but got {type(wanted).__name__}: say True or False")
        if not self.is_leaf and not wanted:
            raise RuntimeError(
                "you can only change requires_grad flags of leaf variables: this tensor is the result of "
                f"{self.grad_fn.name() if self.grad_fn else None}. To use its value as a constant, take its detach()."
            )
        if wanted:
            self._refuse_to_require_grad()
            self._requires_grad = self.is_leaf
        else:
            self._requires_grad = False

    def _refuse_to_require_grad(self) -> None:
        if not self.dtype.differentiable:
            raise RuntimeError(
                "only Tensors of floating point and complex dtype can require gradients, but this one has dtype "
                f"{self.dtype}: convert it with .to(torch.float32), or make it from floating numbers."
            )
        if self.inference and not state.inference:
            raise RuntimeError(
                "Setting requires_grad=True on inference tensor outside InferenceMode is not allowed: "
                "clone() it first to get a normal tensor."
            )

    def requires_grad_(self, requires_grad: bool = True) -> Tensor:
        """Set `requires_grad` in place and return the tensor (torch.Tensor.requires_grad_)."""
        if requires_grad and state.transforms:
            raise RuntimeError(
                "You are attempting to call Tensor.requires_grad_() (or perhaps using torch.autograd.functional.* APIs)"
                " inside of a function being transformed by torch.func: use its transforms (grad, vjp, jacrev, ...) "
                "there too, or call requires_grad_() outside of the function"
            )
        self.requires_grad = requires_grad
        return self

    # --- gradients -------------------------------------------------------------------------------

    @property
    def grad(self) -> Tensor | None:
        """The accumulated gradient, or None; reading it warns on a tensor whose gradient is not kept."""
        if self._grad is None and not self.retains_grad and not self.is_leaf:
            warn.user(
                "The .grad attribute of a Tensor that is not a leaf Tensor is being accessed: backward() does not "
                "keep it, so it is None. Call retain_grad() on this tensor before backward(), or read the leaf's."
            )
        return self._grad

    @grad.setter
    def grad(self, value: Tensor | None) -> None:
        if value is not None:
            self._check_grad(value)
        self._grad = value

    @grad.deleter
    def grad(self) -> None:
        self._grad = None

    def _check_grad(self, value: Any) -> None:
        if not isinstance(value, Tensor):
            raise TypeError(
                f"assigned grad expected to be a Tensor or None but got grad of type {type(value).__name__}"
            )
        if value is self:
            raise RuntimeError("can't assign Variable as its own grad: assign another tensor, such as its clone()")
        if value.array.shape != self.array.shape:
            raise RuntimeError(
                f"attempting to assign a gradient of size '{list(value.shape)}' to a tensor of size "
                f"'{list(self.shape)}': the two must have the same shape"
            )
        if value.array.dtype != self.array.dtype:
            raise RuntimeError(
                f"attempting to assign a gradient with dtype '{value.dtype}' to a tensor with dtype "
                f"'{self.dtype}': convert the gradient first"
            )

    def accumulate(self, g: Any) -> None:
        """Add a cotangent into `.grad`: out of place if it is a Tensor (the graph is wanted), in place otherwise."""
        if isinstance(g, Tensor):
            self._grad = o.clone(g) if self._grad is None else o.add(self._grad, g)
        elif self._grad is None:
            # A copy, because the same array may be the cotangent of several leaves.
            self._grad = Tensor.of(g.copy())
        else:
            np.add(self._grad.array, g, out=self._grad.array)
            self._grad.version.value += 1
        for hook in list((self._post_accumulate or {}).values()):
            if hook(self) is not None:
                raise RuntimeError(
                    "Tensor post accumulate grad hooks should return None: change .grad in place instead"
                )

    def retain_grad(self) -> None:
        """Keep the gradient of this non-leaf in `.grad` during backward (torch.Tensor.retain_grad)."""
        if not self.requires_grad:
            raise RuntimeError("can't retain_grad on Tensor that has requires_grad=False: no gradient reaches it")
        node = self.grad_fn
        if node is not None and not self.retains_grad:
            self.retains_grad = True
            node.retained = {**(node.retained or {}), self.output: weakref.ref(self)}

    # --- hooks -----------------------------------------------------------------------------------

    @property
    def leaf_hooks(self) -> hooks.HookTable:
        """The tensor hooks of a leaf, which outlive any graph."""
        if self._leaf_hooks is None:
            self._leaf_hooks = {}
        return self._leaf_hooks

    def register_hook(self, hook: Callable[[Tensor], Tensor | None]) -> hooks.RemovableHandle:
        """Call `hook(gradient)` when this tensor's gradient is computed; it may return another in its place.

        RuntimeError if the tensor does not require grad. Source: torch.Tensor.register_hook.
        """
        if not self.requires_grad:
            raise RuntimeError(
                "cannot register a hook on a tensor that doesn't require gradient: call requires_grad_() on it first"
            )
        node = self.grad_fn
        return hooks.register(self.leaf_hooks if node is None else node.hooks_of_output(self.output), hook)

    def register_post_accumulate_grad_hook(self, hook: Callable[[Tensor], None]) -> hooks.RemovableHandle:
        """Call `hook(leaf)` after a gradient was added into the leaf's `.grad`.

        RuntimeError on a non-leaf, or without requires_grad. Source: torch.Tensor.register_post_accumulate_grad_hook.
        """
        if not self.requires_grad:
            raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
        if not self.is_leaf:
            raise RuntimeError("post accumulate grad hooks cannot be registered on non-leaf tensors: use register_hook")
        self._post_accumulate = self._post_accumulate or {}
        return hooks.register(self._post_accumulate, hook)
