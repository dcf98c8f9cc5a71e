"""Identities: functions of an array that return the same numbers, with the same derivatives, by way of a feature.

Each holds for every array of floating-point or complex numbers, at infinities, NaN and signed zeros too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from conformance.features import features_of
from conformance.protocol import verbs_of
from workshop.mutated.calls import Ad, named
from workshop.mutated.values import is_real

TAPE = named("leaf backward grad_of backward_of require_grad_ set_requires_grad_ parameter gradcheck check_gradients")
# A check for an error: another error may come first.
ERRORS = frozenset({"raises", "one_of", "warns"})
FORWARD = frozenset({"jvp", "jacfwd", "hessian", "linearize", "make_dual", "functional.jvp", "linear_transpose"})
# Checks of saved tensors: how many, and that they were not written since.
COUNTING = frozenset({"saved_tensors_hooks", "register_saved_hooks", "saved_residuals"}) | ERRORS
# Where derivatives may be off, or are asked for by a way that lowers nothing.
MODES = frozenset(verbs_of("GradModes", "Functional")) | {"checkpoint"}
# A custom rule defines the derivative, and of which mode; the operations in it have others.
RULED = frozenset(verbs_of("CustomFunctions", "CustomRules"))

# On a tape, a rule of tangents serves forward mode only: engines that trace have this verb, too.
BOTH_MODES = frozenset({"custom_jvps"})


@dataclass(frozen=True)
class Identity:
    """`function(ad, x)` is x again. `copies`: in new memory. `unless`: where these verbs are used, it is no identity.

    `least` is the number of axes that it needs; `real`: for real numbers only. `more`: verbs that an engine
    must have besides those that it uses.
    """

    function: Callable[[Ad, Any], Any]
    copies: bool = True
    unless: frozenset[str] = frozenset()
    least: int = 0
    real: bool = False
    more: frozenset[str] = frozenset()

    @property
    def needs(self) -> frozenset[str]:
        """The verbs that it uses."""
        return features_of(self.function) | self.more

    def holds(self, x: Any) -> bool:
        """Whether it can be applied to this array."""
        return len(x.shape) >= self.least and (is_real(x) or not self.real)


def _once(y: Any) -> Any:
    return y * 1


def _written(ad: Ad, x: Any) -> Any:
    y = ad.clone(x)
    ad.mul_(y, 1)
    return y


def _written_through_a_view(ad: Ad, x: Any) -> Any:
    y = ad.clone(x)
    ad.mul_(y[...], 1)
    return y


def _copied_over(ad: Ad, x: Any) -> Any:
    y = ad.detach(ad.clone(x))
    ad.copy_(y, x)
    return y


def _copied_into_a_view(ad: Ad, x: Any) -> Any:
    y = ad.np.zeros_like(ad.detach(x))
    ad.copy_(y[None][0], x)
    return y


def _set_in_a_row(ad: Ad, x: Any) -> Any:
    rows = ad.np.stack([ad.np.zeros_like(ad.detach(x))] * 2)
    ad.set_item_(rows, 1, x)
    return rows[1]


def _held(ad: Ad, x: Any) -> Any:
    with ad.saved_tensors_hooks(lambda kept: kept, lambda kept: kept):
        return x * 1


def _referenced(ad: Ad, x: Any) -> Any:
    return ad.read_reference(ad.new_reference(x))


def _written_to_a_reference(ad: Ad, x: Any) -> Any:
    reference = ad.new_reference(ad.np.zeros_like(x))
    ad.write_reference_(reference, x)
    return ad.read_reference(reference)


def _pulled_back(ad: Ad, x: Any) -> Any:
    _, pullback = ad.vjp(_once, x)
    return pullback(x)[0]


def _ruled(ad: Ad, x: Any) -> Any:
    return ad.custom_vjp(lambda y: (y * 1, ()), lambda residuals, cotangent: (cotangent,))(x)


def _with_rule_of_tangents(ad: Ad, x: Any) -> Any:
    return ad.custom_jvp(_once, lambda primals, tangents: (primals[0] * 1, tangents[0]))(x)


def _by_a_function(ad: Ad, x: Any) -> Any:
    applied = ad.custom_function(
        lambda y: y * 1,
        lambda ctx, cotangent: cotangent,
        setup_context=lambda ctx, args, output: None,
        jvp=lambda ctx, tangent: tangent * 1,  # another tensor, as forward mode asks of a Function that returns one
        generate_vmap_rule=True,
    )
    return applied(x)


def _scanned(ad: Ad, x: Any) -> Any:
    return ad.scan(lambda carry, y: (carry, y), 0, x)[1]


def _carried(ad: Ad, x: Any) -> Any:
    return ad.scan(lambda carry, step: (carry, step), x, ad.array([0, 1]))[0]


def _chosen(ad: Ad, x: Any) -> Any:
    return ad.cond(ad.array(True), _once, lambda y: y * 2, x)


def _switched(ad: Ad, x: Any) -> Any:
    return ad.switch(ad.array(1), [lambda y: y * 2, _once], x)


# `x * 1` is exact; `x + 0` would lose the sign of a zero.
IDENTITIES: Mapping[str, Identity] = {
    "view": Identity(lambda ad, x: x[...], copies=False),
    "new_axis": Identity(lambda ad, x: x[None][0], copies=False),
    "reshaped": Identity(lambda ad, x: ad.np.reshape(ad.np.reshape(x, (-1,)), tuple(x.shape)), copies=False),
    "swapped": Identity(lambda ad, x: ad.np.swapaxes(ad.np.swapaxes(x, 0, -1), 0, -1), copies=False, least=1),
    "clone": Identity(lambda ad, x: ad.clone(x)),
    "times_one": Identity(lambda ad, x: x * 1),
    "stacked": Identity(lambda ad, x: ad.np.stack([x * 2, x])[1]),
    "concatenated": Identity(lambda ad, x: ad.np.concat([x[:1], x[1:]]), least=1),
    "flipped": Identity(lambda ad, x: ad.np.flip(ad.np.flip(x, (0,)), (0,)), least=1),
    "cast": Identity(lambda ad, x: ad.cast(x, ad.dtype_of(x)), copies=False),
    # Not contiguous: what `view` and `as_strided` do with it is another thing.
    "through_complex": Identity(
        lambda ad, x: ad.np.real(ad.cast(x, "complex128")) if ad.dtype_of(x) == "float64" else x,
        unless=frozenset({"view", "view_by"}),
        real=True,
    ),
    "written": Identity(_written),
    "written_through_a_view": Identity(_written_through_a_view),
    "copied_over": Identity(_copied_over),
    "copied_into_a_view": Identity(_copied_into_a_view),
    "set_in_a_row": Identity(_set_in_a_row),
    "held": Identity(_held, unless=COUNTING),
    "checkpointed": Identity(lambda ad, x: ad.checkpoint(_once)(x), unless=COUNTING),
    "batched": Identity(lambda ad, x: ad.vmap(_once)(x[None])[0]),
    "mapped": Identity(lambda ad, x: ad.vmap(_once)(x), least=1),
    "jitted": Identity(lambda ad, x: ad.jit(_once)(x)),
    "ruled": Identity(_ruled, unless=FORWARD | frozenset(verbs_of("Functional"))),
    "with_rule_of_tangents": Identity(_with_rule_of_tangents, unless=TAPE, more=BOTH_MODES),
    "by_a_function": Identity(_by_a_function),
    "referenced": Identity(_referenced),
    "written_to_a_reference": Identity(_written_to_a_reference),
    "scanned": Identity(_scanned, least=1),
    "carried": Identity(_carried),
    "chosen": Identity(_chosen),
    "switched": Identity(_switched),
    "looped": Identity(lambda ad, x: ad.fori_loop(0, 1, lambda step, y: y * 1, x)),
    "linearized": Identity(lambda ad, x: ad.linearize(_once, x)[0]),
    # On a tape, a pullback's result is outside the graph unless a transform is around it.
    "pulled_back": Identity(_pulled_back, unless=TAPE | MODES | RULED),
    "pushed_forward": Identity(lambda ad, x: ad.jvp(_once, (x,), (x,))[1], unless=MODES | RULED),
    "functionalized": Identity(lambda ad, x: ad.functionalize(_once)(x)),
}
