"""Libraries as the faults use them: their containers, their arrays, and the transforms that these are inside of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class Library:
    """A library of arrays."""

    name: str

    def flat(self, tree: Any) -> tuple[list[Any], Callable[[list[Any]], Any]]:
        """The leaves of containers, None among them, and a function that puts others in their places."""
        raise NotImplementedError

    def is_array(self, x: Any) -> bool:
        """Whether it is an array of real or complex numbers."""
        raise NotImplementedError

    def constant(self, x: Any) -> Any:
        """The same numbers without history."""
        raise NotImplementedError

    def cast(self, x: Any, dtype: str) -> Any:
        """The array in another dtype."""
        raise NotImplementedError

    def dtype(self, x: Any) -> str:
        """The name of its dtype."""
        return str(x.dtype).rpartition(".")[2]

    def inside(self, x: Any) -> frozenset[str]:
        """The innermost transform that the array is a value of: forward, reverse, vmap, jit; empty for plain
        numbers."""
        raise NotImplementedError

    def finite(self, x: Any) -> Any:
        """Where its numbers are finite."""
        raise NotImplementedError

    def where(self, chosen: Any, x: Any) -> Any:
        """The array where chosen, else zero."""
        raise NotImplementedError

    def arrays(self, tree: Any) -> list[Any]:
        """The arrays in containers."""
        return [x for x in self.flat(tree)[0] if self.is_array(x)]

    def changed(self, tree: Any, at: Callable[[int], bool], change: Callable[[Any], Any]) -> Any:
        """The containers with some of their arrays changed, by number."""
        leaves, rebuilt = self.flat(tree)
        # Faults count arrays only: `None` and numbers between them keep their places.
        places = [n for n, x in enumerate(leaves) if self.is_array(x)]
        chosen = {place for number, place in enumerate(places) if at(number)}
        return rebuilt([change(x) if n in chosen else x for n, x in enumerate(leaves)])

    def bent(self, x: Any, factor: float, order: int) -> Any:
        """The same numbers, with a derivative of the order that has so much added."""
        rest = self.where(self.finite(self.constant(x)), x - self.constant(x))  # zero, with the derivative one
        return x + factor * (rest if order == 1 else rest * rest)


class TorchLibrary(Library):
    """PyTorch."""

    name = "torch"

    def __init__(self) -> None:
        import torch
        import torch.func
        import torch.utils.checkpoint
        from torch.utils import _pytree

        self.torch, self._pytree = torch, _pytree
        # Else a warning comes once per process, and the order of programs would change outcomes.
        torch.set_warn_always(True)
        # Kept as they are now: later they may be what is wrong.
        self._detach, self._isfinite, self._where = torch.Tensor.detach, torch.isfinite, torch.where
        self._unpack = torch._VF._unpack_dual

    def flat(self, tree: Any) -> tuple[list[Any], Callable[[list[Any]], Any]]:
        leaves, structure = self._pytree.tree_flatten(tree)
        return leaves, lambda others: self._pytree.tree_unflatten(others, structure)

    def is_array(self, x: Any) -> bool:
        return isinstance(x, self.torch.Tensor) and (x.dtype.is_floating_point or x.dtype.is_complex)

    def constant(self, x: Any) -> Any:
        return self._detach(x)

    def cast(self, x: Any, dtype: str) -> Any:
        return x.to(getattr(self.torch, dtype))

    def inside(self, x: Any) -> frozenset[str]:
        # There is no public question for the transform that a tensor is inside of.
        functorch = self.torch._C._functorch
        if functorch.is_batchedtensor(x):
            return frozenset({"vmap"})
        kinds = {"transform"} if functorch.is_functorch_wrapped_tensor(x) else set()
        if x.requires_grad:
            kinds.add("reverse")
        if self.level() >= 0 and self._unpack(x, level=self.level())[1] is not None:
            kinds.add("forward")
        return frozenset(kinds)

    def finite(self, x: Any) -> Any:
        return self._isfinite(x)

    def where(self, chosen: Any, x: Any) -> Any:
        return self._where(chosen, x, self.torch.zeros_like(x))

    def level(self) -> int:
        """The number of the open dual level; minus one without one."""
        return int(self.torch.autograd.forward_ad._current_level)


_KINDS = {"JVPTracer": "forward", "LinearizeTracer": "reverse", "BatchTracer": "vmap", "DynamicJaxprTracer": "jit"}


class JaxLibrary(Library):
    """JAX."""

    name = "jax"

    def __init__(self) -> None:
        import jax
        import jax.ad_checkpoint
        import jax.experimental
        import jax.test_util

        self.jax = jax
        # Kept as they are now: later they may be what is wrong.
        self._stop, self._isfinite, self._where = jax.lax.stop_gradient, jax.numpy.isfinite, jax.numpy.where

    def flat(self, tree: Any) -> tuple[list[Any], Callable[[list[Any]], Any]]:
        # Without `is_leaf`, None is an empty container, and its place is lost.
        leaves, structure = self.jax.tree.flatten(tree, is_leaf=lambda x: x is None)
        return leaves, structure.unflatten

    def is_array(self, x: Any) -> bool:
        kind = getattr(getattr(x, "dtype", None), "kind", "")
        # NumPy's arrays have a dtype too, and are constants here.
        return kind in ("f", "c") and hasattr(x, "aval")

    def constant(self, x: Any) -> Any:
        return self._stop(x)

    def cast(self, x: Any, dtype: str) -> Any:
        return self.jax.lax.convert_element_type(x, dtype)

    def inside(self, x: Any) -> frozenset[str]:
        kind = _KINDS.get(type(x).__name__, "transform" if isinstance(x, self.jax.core.Tracer) else "")
        return frozenset({kind, "transform"} if kind else ())

    def finite(self, x: Any) -> Any:
        return self._isfinite(x)

    def where(self, chosen: Any, x: Any) -> Any:
        return self._where(chosen, x, self.jax.numpy.zeros_like(x))


_LOADED: dict[str, Library] = {}


# Loading is slow, and two frameworks are not to share a process unless both are asked for.
def library(name: str) -> Library:
    """The library of this name, loaded when it is first asked for."""
    if name not in _LOADED:
        _LOADED[name] = {"torch": TorchLibrary, "jax": JaxLibrary}[name]()
    return _LOADED[name]
