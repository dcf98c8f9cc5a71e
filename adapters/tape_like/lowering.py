"""Lowering of `grad`, `vjp` and the other transforms to a tape: a program of its leaves, recorded and run backward.

Make leaves of the arguments, run the program, call `torch.autograd.grad` once, with the engine's own defaults.
The arguments may be containers: their arrays become leaves, and the gradients come back in the containers' place.
The only flag that is passed is `create_graph`, and only inside another transform, whose derivative must be able to
flow through. What the engine raises is not caught.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from adapters.tape_like.base import Base
from conformance.protocol.types import Argnums, Array, Arrays, Context, Program, Tree

_depth: ContextVar[int] = ContextVar("depth", default=0)


@contextmanager
def _inside_a_transform() -> Iterator[bool]:
    """Whether the program about to run is inside another transform's program."""
    depth = _depth.get()
    token = _depth.set(depth + 1)
    try:
        yield depth > 0
    finally:
        _depth.reset(token)


def depth() -> int:
    """The number of transforms that a program that is running is inside."""
    return _depth.get()


def arrays_in(value: Tree) -> list[Array]:
    """The values of a nested container in order."""
    if value is None:
        return []
    # Anything that is no container counts as an array, so that the engine raises its error for it.
    parts = list(value.values()) if isinstance(value, dict) else value
    return [array for part in parts for array in arrays_in(part)] if isinstance(parts, (list, tuple)) else [value]


def rebuilt(value: Tree, arrays: Iterator[Array]) -> Tree:
    """The same containers around other arrays."""
    if value is None:
        return None
    if isinstance(value, dict):
        return {key: rebuilt(part, arrays) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)([rebuilt(part, arrays) for part in value])
    return next(arrays)


class Lowering(Base):
    """The groups Transforms and Checking of the protocol."""

    def _leaf_of(self, x: Array) -> Array:
        """A leaf with the value, and any tangent, of `x`; inside another transform, a new name that its graph knows."""
        if not isinstance(x, self.torch.Tensor):
            return x  # for `torch.autograd.grad` to raise its error
        leaf = x.detach()
        if x.requires_grad:
            return x.view_as(x)  # part of the outer graph, and yet another object than `x`
        # detach() keeps the tangent out of reach of the leaf's graph, so it is attached again.
        tangent = self.torch.autograd.forward_ad.unpack_dual(x).tangent
        leaf.requires_grad_()
        return leaf if tangent is None else self.torch.autograd.forward_ad.make_dual(leaf, tangent)

    def _has_tangent(self, leaves: Arrays) -> bool:
        """Whether the program runs in forward mode: its gradient is then to have a tangent, and needs a graph."""
        return any(self.torch.autograd.forward_ad.unpack_dual(x).tangent is not None for x in leaves)

    def _leaves_of(self, x: Tree) -> Tree:
        return rebuilt(x, map(self._leaf_of, arrays_in(x)))

    def grad(self, program: Program, argnums: Argnums = 0) -> Program:
        def gradient(*args: Tree, **keywords: Any) -> Tree:
            # By `range`, so that a negative number counts from the end, and one that is too large raises IndexError.
            chosen = [range(len(args))[n] for n in ((argnums,) if isinstance(argnums, int) else argnums)]
            with _inside_a_transform() as nested:
                leaves = [self._leaves_of(x) if n in chosen else x for n, x in enumerate(args)]
                output = program(*leaves, **keywords)
                # In the order of argnums, which need not be that of the arguments.
                wanted = [leaf for n in chosen for leaf in arrays_in(leaves[n])]
                create_graph = nested or self._has_tangent(wanted)
                found = iter(self.torch.autograd.grad(output, wanted, create_graph=create_graph))
            gradients = tuple(rebuilt(args[n], found) for n in chosen)
            return gradients[0] if isinstance(argnums, int) else gradients

        return gradient

    def vjp(self, program: Program, *primals: Tree) -> tuple[Tree, Program]:
        # The depth when the program runs counts, though the pullback is called later.
        with _inside_a_transform() as nested:
            leaves = [self._leaves_of(x) for x in primals]
            output = program(*leaves)

        def pullback(cotangent: Tree) -> tuple[Tree, ...]:
            wanted = arrays_in(leaves)
            found = iter(self.torch.autograd.grad(arrays_in(output), wanted, arrays_in(cotangent), create_graph=nested))
            return tuple(rebuilt(x, found) for x in primals)

        return output, pullback

    # The same for arrays, where no transform is inside another: the form that scripts show.

    def _plain_grad(self, program: Program, argnums: Argnums = 0) -> Program:
        def gradient(*args: Array) -> Tree:
            chosen = [range(len(args))[n] for n in ((argnums,) if isinstance(argnums, int) else argnums)]
            leaves = [x.detach().requires_grad_() if n in chosen else x for n, x in enumerate(args)]
            gradients = self.torch.autograd.grad(program(*leaves), [leaves[n] for n in chosen])
            return gradients[0] if isinstance(argnums, int) else gradients

        return gradient

    def _plain_vjp(self, program: Program, *primals: Array) -> tuple[Tree, Program]:
        leaves = [x.detach().requires_grad_() for x in primals]
        output = program(*leaves)
        return output, lambda cotangent: self.torch.autograd.grad(output, leaves, cotangent)

    def _plain_jacobian(self, program: Program) -> Program:
        return lambda x: self.torch.autograd.functional.jacobian(program, x)

    def _plain_hessian(self, program: Program) -> Program:
        return lambda x: self.torch.autograd.functional.hessian(program, x)

    def _plain_custom_vjp(self, forward: Program, backward: Program) -> Program:
        class Custom(self.torch.autograd.Function):  # type: ignore[name-defined]
            @staticmethod
            def forward(ctx: Context, *args: Any) -> Any:
                output, residuals = forward(*args)
                ctx.save_for_backward(*residuals)
                return output

            @staticmethod
            def backward(ctx: Context, *cotangents: Any) -> Any:
                # The protocol has a tuple of cotangents only where the outputs are a tuple.
                return backward(ctx.saved_tensors, cotangents if len(cotangents) > 1 else cotangents[0])

        return Custom.apply

    def jvp(self, program: Program, primals: Arrays, tangents: Arrays) -> tuple[Tree, Tree]:
        forward_ad = self.torch.autograd.forward_ad
        with forward_ad.dual_level():
            duals = [forward_ad.make_dual(x, t) for x, t in zip(primals, tangents, strict=True)]
            output, tangent = forward_ad.unpack_dual(program(*duals))
        return output, tangent

    def jacobian(self, program: Program) -> Program:
        return self._functional("jacobian", program)

    def jacfwd(self, program: Program) -> Program:
        def derivative(x: Tree) -> Tree:
            with _inside_a_transform():
                # PyTorch raises an error for create_graph with this strategy, whose result has a graph without it.
                jacobian = self.torch.autograd.functional.jacobian
                return jacobian(program, x, strategy="forward-mode", vectorize=True)

        return derivative

    def hessian(self, program: Program) -> Program:
        return self._functional("hessian", program)

    def _functional(self, name: str, program: Program) -> Program:
        def derivative(x: Tree) -> Tree:
            with _inside_a_transform() as nested:
                create_graph = nested or self._has_tangent(arrays_in(x))
                return getattr(self.torch.autograd.functional, name)(program, x, create_graph=create_graph)

        return derivative

    def check_gradients(self, program: Program, *primals: Array, order: int = 1) -> bool:
        check = self.torch.autograd.gradcheck if order == 1 else self.torch.autograd.gradgradcheck
        # Leaves, as gradcheck raises an error where no input requires a gradient.
        return check(program, [self._leaf_of(x) for x in primals])

    def gradcheck(
        self,
        program: Program,
        inputs: Tree,
        forward: bool | None = None,
        reverse: bool | None = None,
        raises: bool = True,
        batched: bool | None = None,
        batched_forward: bool | None = None,
        nondet_tol: float | None = None,
        undefined: bool | None = None,
        fast: bool | None = None,
    ) -> bool:
        # An option that is None is not passed on, so that the engine's own default is what is tried.
        asked = {
            "check_forward_ad": forward,
            "check_backward_ad": reverse,
            "check_batched_grad": batched,
            "check_batched_forward_grad": batched_forward,
            "nondet_tol": nondet_tol,
            "check_undefined_grad": undefined,
            "fast_mode": fast,
        }
        given = {name: value for name, value in asked.items() if value is not None}
        return self.torch.autograd.gradcheck(program, inputs, raise_exception=raises, **given)

    def gradgradcheck(self, program: Program, inputs: Tree, gradients: Tree = None, raises: bool = True) -> bool:
        return self.torch.autograd.gradgradcheck(program, inputs, gradients, raise_exception=raises)
