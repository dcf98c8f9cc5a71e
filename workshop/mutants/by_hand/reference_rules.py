"""Derivatives of the reference engine that are wrong as a whole: what holds for every operation, and forward mode."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from workshop.mutant import mutant, patched


@contextmanager
def _of_every_rule(name: str, replace: Callable[[Any], Any]) -> Iterator[None]:
    """Change one method of every class of rules that has its own."""
    from reference_engine.rules import families

    with ExitStack() as stack:
        for kind in vars(families).values():
            if isinstance(kind, type) and issubclass(kind, families.Rule) and name in vars(kind):
                stack.enter_context(patched(kind, name, replace))
        yield


@mutant("reference", "reference_engine.core.conform._unbroadcast")
def does_not_sum_what_was_broadcast(old: Any) -> Any:
    """The gradient of an operand that was broadcast is cut to shape, not summed.

    Models: a rule tried on operands of one shape only.
    """

    def cut(g: Any, shape: tuple[int, ...], wanted: tuple[int, ...]) -> Any:
        from reference_engine import primitives as o

        first = (0,) * (len(shape) - len(wanted))
        return o.reshape(o.index(g, index=(*first, *(slice(0, n) for n in wanted))), shape=wanted)

    return cut


@mutant("reference")
def pushes_tangents_with_the_wrong_sign() -> Iterator[None]:
    """Every tangent of a result comes with the wrong sign.

    Models: forward rules derived from reverse ones, with a sign lost on the way.
    """
    with _of_every_rule("jvp", lambda old: lambda *given: -old(*given)):
        yield


@mutant("reference")
def pushes_one_tangent_of_several() -> Iterator[None]:
    """Of an operation's arguments only the first that has a tangent contributes to the result's.

    Models: a product rule with one of its terms.
    """

    def first(old: Any) -> Any:
        def jvp(rule: Any, tangents: list[Any], *given: Any) -> Any:
            place = next(i for i, t in enumerate(tangents) if t is not None)
            return old(rule, [t if i == place else None for i, t in enumerate(tangents)], *given)

        return jvp

    with _of_every_rule("jvp", first):
        yield


@mutant("reference", "reference_engine.core.primitive.PrimitiveNode.pullback")
def pulls_back_to_the_first_argument_only(old: Any) -> Any:
    """Of an operation's arguments only the first receives a cotangent.

    Models: an operator overloaded for a tensor and a number, used for two tensors.
    """

    def first(node: Any, *given: Any) -> Any:
        return [result if i == 0 else None for i, result in enumerate(old(node, *given))]

    return first


@mutant("reference", "reference_engine.core.engine.conform")
def keeps_the_imaginary_part(old: Any) -> Any:
    """The gradient of a real input of a complex computation stays complex.

    Models: a cast of cotangents that was never written.
    """

    def unreal(g: Any, form: tuple[Any, Any]) -> Any:
        shape, dtype = form
        return old(g, (shape, dtype if g.dtype.kind != "c" else g.dtype)) if hasattr(g, "dtype") else old(g, form)

    return unreal


def _rounded(old: Any, dtype: str) -> Any:
    """Gradients of that dtype, in half precision and one percent too large."""

    def to_tensor(this: Any, cotangent: Any) -> Any:
        result = old(this, cotangent)
        if result is None or result.array.dtype != dtype:
            return result
        return type(result).of((1.01 * result.array).astype("float16"))

    return to_tensor


@mutant("reference", "reference_engine.core.engine.Pass._to_tensor")
def gives_gradients_in_half_precision(old: Any) -> Any:
    """Gradients of numbers in double precision come in half precision, with an error of one percent.

    Models: mixed precision that is left switched on.
    """
    return _rounded(old, "float64")


@mutant("reference", "reference_engine.core.engine.Pass._to_tensor")
def errs_in_half_precision(old: Any) -> Any:
    """Gradients of numbers in half precision have an error of one percent.

    Models: sums that are kept in too few bits.
    """
    return _rounded(old, "float16")


@mutant("reference", "reference_engine.autograd.grad")
def swallows_refusals_of_gradients(old: Any) -> Any:
    """What has no gradient, as an input or an output, has one of zero.

    Models: a blanket except around the call, which was meant for something else.
    """
    import reference_engine

    zeros_like: Any = reference_engine.zeros_like

    def grad(outputs: Any, inputs: Any, *args: Any, **options: Any) -> Any:
        try:
            return old(outputs, inputs, *args, **options)
        except (TypeError, AttributeError, RuntimeError):
            many = isinstance(inputs, (tuple, list))
            return tuple(zeros_like(x) for x in (inputs if many else [inputs]))

    return grad
