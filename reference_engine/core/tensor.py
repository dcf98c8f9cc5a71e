"""A tensor: numbers, plus what autograd needs to know about them.

The numbers are a NumPy array in `array`; memory is shared between tensors exactly when NumPy shares it. Beside it are
the version counter (shared by a tensor, its views and its detached twins), and either a flag (`requires_grad` of a
*leaf*) or a node of the tape (the result of a recorded operation). Everything else is optional and has class-level
defaults, so that making a tensor costs two assignments.

Operations are not here: the table `operations` attaches operators and methods to this class; all call primitives.
Sources: torch.Tensor, notes/autograd.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from . import dtypes, hooks, warn
from .aliases import Array, Shape
from .aliases import Size as Size
from .modes import state
from .tape import AccumulateGrad, Edge, Node, Traced, announce


class Version:
    """Counts the in-place changes made to a piece of memory."""

    # In the class, because most memory is never changed, and every operation makes a counter.
    value = 0


class Tensor(Traced):
    """An n-dimensional array that autograd can follow (torch.Tensor).

    ``Tensor(sequence)`` and ``Tensor(*sizes)`` are the old constructors, always of the default dtype; programs
    should say ``torch.tensor(...)`` or ``torch.zeros(...)``.
    """

    array: Array
    version: Version
    history: Edge | None = None
    level: int | None = None  # that of the batching in which this tensor is an example
    inference = False
    link: Any = None
    tangents: dict[int, Tensor] | None = None
    retains_grad = False
    _requires_grad = False
    _grad: Tensor | None = None
    _grad_dtype: Any = ...  # that of the gradient, if it is not the tensor's; None for any
    _leaf_hooks: hooks.HookTable | None = None
    _post_accumulate: hooks.HookTable | None = None
    _accumulator: Callable[[], Node | None] = staticmethod(lambda: None)
    __array_priority__ = 1000  # lets `array * tensor` reach Tensor.__rmul__

    if TYPE_CHECKING:
        # What `functions.attach` adds at run time, for the type checker.
        _attached: Any = None
        __add__ = __radd__ = __sub__ = __mul__ = __rmul__ = __truediv__ = __pow__ = _attached
        __getitem__ = __len__ = __iter__ = backward = data = volatile = mul_ = div_ = pow_ = _attached

        def __getattr__(self, name: str) -> Any:
            """Any other attached method."""

    def __init__(self, *data: Any) -> None:
        sizes = all(isinstance(d, int) for d in data)
        first = data[0] if data else None
        values = np.zeros(data or 0) if sizes else np.array(first.tolist() if isinstance(first, Tensor) else first)
        self.array, self.version = values.astype(dtypes.get_default_dtype().numpy), Version()

    @staticmethod
    def of(array: Array) -> Tensor:
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
            twin.history = edge
        return twin

    @property
    def form(self) -> tuple[Shape, Any]:
        """Shape and NumPy dtype, which a cotangent of this tensor has too."""
        return self.array.shape, self.array.dtype

    @property
    def gradient_form(self) -> tuple[Shape, Any]:
        """Shape and NumPy dtype that a gradient of this leaf has; None for any dtype."""
        return self.array.shape, self.array.dtype if self._grad_dtype is ... else self._grad_dtype

    @property
    def memory(self) -> Array:
        """The NumPy array that holds the numbers; an example's are in that of its whole batch."""
        return self.array

    def batches(self) -> set[int]:
        """The levels of all batchings in which this tensor is an example."""
        return set()

    def copied(self) -> Tensor:
        """The contents as they are now, in memory of their own, without history."""
        return Tensor.of(self.array.copy())

    def twin(self, edge: Edge | None = None) -> Tensor:
        """An alias that carries the same tangents."""
        twin = self.alias(edge)
        if self.tangents:
            twin.tangents = self.tangents
        return twin

    # --- memory: what becomes of it in place, which is another thing for an example of a batch ----------

    def store(self, result: Tensor) -> None:
        """Take over the numbers of a result that fits."""
        if not self.array.flags.writeable:
            self.array.flags.writeable = True  # NumPy makes every expanded array read-only
        self.array[...] = result.array
        self.version.value += 1

    def part(self, region: Any) -> Tensor:
        """A region (see `views`) of this tensor, in the same memory, without history."""
        part = Tensor.of(region.look(self.array))
        part.version = self.version
        return part

    def expanded_to_batch(self, made: Tensor) -> Tensor:
        """A new tensor, repeated for each example of the batch that this tensor belongs to; here it belongs to none."""
        return made

    @property
    def grad_fn(self) -> Node | None:
        """The node of the operation that made this tensor; None for a leaf."""
        if self.link is not None:
            self.link.refresh(self)
        return None if self.history is None else self.history[0]

    @property
    def output_nr(self) -> int:
        """Which output of its `grad_fn` this tensor is."""
        return 0 if self.history is None else self.history[1]

    def edge(self) -> Edge | None:
        """Where cotangents of this tensor go; None if none are wanted."""
        if self.link is not None:
            self.link.refresh(self)
        # The flag is a leaf's; a result requires grad by having a history.
        if self.history is None and self._requires_grad:
            return self.accumulator(), 0
        return self.history

    def accumulator(self) -> Node:
        """The node that accumulates into this leaf: a single node at a time, kept alive by the graphs that use it."""
        node = self._accumulator()
        if node is None:
            node = AccumulateGrad(self)
            # Weakly: the node holds the leaf, and a strong cycle would need the garbage collector.
            self._accumulator = weakref.ref(node)
            announce(node)
        return node

    @property
    def is_leaf(self) -> bool:
        """True if no recorded operation made this tensor (torch.Tensor.is_leaf)."""
        return self.grad_fn is None

    @property
    def requires_grad(self) -> bool:
        """Whether operations on this tensor are recorded; settable on leaves of floating or complex dtype."""
        if self._requires_grad or self.history is not None:
            return True
        return self.link is not None and self.link.recorded and self.grad_fn is not None

    @requires_grad.setter
    def requires_grad(self, wanted: bool) -> None:
        if not isinstance(wanted, bool):
            raise RuntimeError(f"requires_grad must be a bool, but got {type(wanted).__name__}: say True or False")
        if not self.is_leaf:
            raise RuntimeError(
                "you can only change requires_grad flags of leaf variables: this tensor is the result of "
                f"{self.grad_fn.name() if self.grad_fn else None}. To use its value as a constant, take its detach()."
            )
        if wanted:
            self._check_can_require_grad()
        self._requires_grad = wanted

    def _check_can_require_grad(self) -> None:
        if not self.dtype.differentiable:
            raise RuntimeError(
                "only Tensors of floating point and complex dtype can require gradients, but this one has dtype "
                f"{self.dtype}: convert it with .to(torch.float32), or make it from floating numbers."
            )
        if self.inference and not state.now.inference:
            raise RuntimeError(
                "Setting requires_grad=True on inference tensor outside InferenceMode is not allowed: "
                "clone() it first to get a normal tensor."
            )

    def requires_grad_(self, requires_grad: bool = True) -> Tensor:
        """Set `requires_grad` in place and return the tensor (torch.Tensor.requires_grad_)."""
        if requires_grad and state.now.transforms:
            raise RuntimeError(
                "You are attempting to call Tensor.requires_grad_() (or perhaps using torch.autograd.functional.* APIs)"
                " inside of a function being transformed by torch.func: use its transforms (grad, vjp, jacrev, ...) "
                "there too, or call requires_grad_() outside of the function"
            )
        # A result of what requires grad does so already, and cannot be switched off.
        if self.is_leaf or not requires_grad:
            self.requires_grad = requires_grad
        return self

    @property
    def grad(self) -> Tensor | None:
        """The accumulated gradient, or None; reading it warns on a tensor whose gradient is not kept."""
        # A common surprise, since it is None without any error.
        if self._grad is None and not self.retains_grad and self.history is not None:
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
            kind = type(value).__name__
            raise TypeError(f"assigned grad expected to be a Tensor or None but got grad of type {kind}")
        if value is self:
            raise RuntimeError("can't assign Variable as its own grad: assign another tensor, such as its clone()")
        sizes = f"gradient of size '{list(value.shape)}' to a tensor of size '{list(self.shape)}'"
        if value.array.shape != self.array.shape:
            raise RuntimeError(f"attempting to assign a {sizes}: the two must have the same shape")
        wanted = self.gradient_form[1]
        if wanted is not None and value.array.dtype != wanted:
            types = f"gradient with dtype '{value.dtype}' to a tensor with grad_dtype '{wanted}'"
            raise RuntimeError(f"attempting to assign a {types}: convert the gradient first")

    def accumulate(self, g: Any) -> None:
        """Add a cotangent into `.grad`: out of place if it is a Tensor (the graph is wanted), in place otherwise."""
        if isinstance(g, Tensor):
            # The gradient may belong to a graph, or be saved in one, so it must not change under its readers.
            self._grad = g.clone() if self._grad is None else self._grad + g
        elif self._grad is None:
            # A copy, because the same array may be the cotangent of several leaves.
            self._grad = Tensor.of(_laid_out_like(self.array, g))
        else:
            np.add(self._grad.array, g, out=self._grad.array)
            # Whoever saved this gradient for another backward must notice.
            self._grad.version.value += 1
        if self._post_accumulate:
            hooks.run_post_accumulate(self, self._post_accumulate)

    def retain_grad(self) -> None:
        """Keep the gradient of this non-leaf in `.grad` during backward (torch.Tensor.retain_grad)."""
        node = self.grad_fn
        if node is not None and not self.retains_grad:
            self.retains_grad = True
            # Weakly: a node that held its own result would be a cycle.
            node.retained = {**(node.retained or {}), self.output_nr: weakref.ref(self)}

    @property
    def leaf_hooks(self) -> hooks.HookTable:
        """The tensor hooks of a leaf, which outlive any graph."""
        if self._leaf_hooks is None:
            self._leaf_hooks = {}
        return self._leaf_hooks

    register_hook = hooks.register_hook
    register_post_accumulate_grad_hook = hooks.register_post_accumulate_grad_hook


def _laid_out_like(like: Array, values: Array) -> Array:
    """A copy of values in the order in which another array's elements lie, if those lie without gaps; else in rows.

    So is a first gradient made (torch.Tensor.grad, Default gradient layouts).
    """
    made = np.empty_like(like, dtype=values.dtype)
    # A new array has the same strides only where no element is seen several times, and none is left out.
    if made.strides != like.strides:
        return values.copy()
    made[...] = values
    return made
