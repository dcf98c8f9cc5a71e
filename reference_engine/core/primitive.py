"""What an operation is before anybody differentiates it: a name, a NumPy evaluation, and a place for its rule.

A primitive is called on anything. Plain arrays in, plain array out, nothing else happens: this is how backward
runs fast when no graph is wanted. If any argument is *traced* (a Tensor), the call goes to `Primitive.interpret`,
which `interpret` provides: it evaluates, writes down what backward will need, and wraps the result. Because a rule
is itself written in primitives, calling it on Tensors records it in turn, which is all that higher order needs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar


class Traced:
    """Marks values whose operations are interpreted rather than merely evaluated; `Tensor` is one."""

    array: Any


class Primitive:
    """One operation, such as ``tanh``.

    `evaluate` takes and returns NumPy arrays. `node` is the name of the tape node, as PyTorch spells it, or how to
    tell it from the options of a call.
    `promotes` says which types it is computed in: "together" (operands share a type), "float" (integers become
    floating first), "both", or "" (the evaluation decides). `letters` names the differentiable arguments in
    rules, in order; "*" means any number of them. A `view` shares its first argument's memory. Where PyTorch has an
    overload of its own for a number as the last argument, that number has `no_place` among the inputs of the node.
    """

    interpret: Callable[[tuple[Any, ...], dict[str, Any]], Any]
    """What to do with Tensors. Provided by the module `interpret`, which knows Tensors; this module must not."""

    overridden: ClassVar[Callable[[Any], bool]] = staticmethod(lambda value: hasattr(type(value), "__torch_function__"))

    def __init__(
        self,
        name: str,
        evaluate: Callable[..., Any],
        *,
        node: str | Callable[[dict[str, Any]], str] | None = None,
        promotes: str = "",
        letters: str = "xyw",
        view: bool = False,
        no_place: bool = False,
    ) -> None:
        self.name = name
        self.evaluate = evaluate
        self.on_floats = getattr(evaluate, "on_floats", evaluate)  # the same, where floating arrays are all there is
        self.node = node or "".join(part.capitalize() for part in name.split("_")) + "Backward0"
        self.joins = promotes in ("together", "both")
        self.floats = promotes in ("float", "both")
        self.letters = letters
        self.view = view
        self.no_place = no_place
        self.rule: Any = None  # filled in by the tables in `rules`
        self.batch: Any = None  # likewise, where its family does not imply it (see `batching`)
        self.short: dict[int, Callable[..., Any]] = {}  # `interpret` for so many arguments, filled in by `shortcut`
        self.node_classes: dict[str, Any] = {}  # by name, made by `nodes` on first use

    def __call__(self, *args: Any, **options: Any) -> Any:
        # Options are never tensors that anyone differentiates, so arguments decide.
        for value in args:
            if isinstance(value, Traced):
                short = None if options else self.short.get(len(args))
                return self.interpret(args, options) if short is None else short(*args)
        return self.evaluate(*args, **options)

    def node_name(self, options: dict[str, Any]) -> str:
        """The name of the node that a call with these options makes."""
        return self.node if isinstance(self.node, str) else self.node(options)

    def __repr__(self) -> str:
        return f"o.{self.name}"


class OfComplex(Primitive):
    """An operation that does nothing to real values: it returns them as they are, and there is nothing to record."""

    def __call__(self, value: Any) -> Any:
        array = value.array if isinstance(value, Traced) else value
        try:
            is_complex = array.dtype.kind == "c"
        except AttributeError:  # a Python number
            is_complex = isinstance(array, complex)
        return super().__call__(value) if is_complex else value
