"""Steps that only a tape has, and the backward passes at the end of a program on a tape."""

from __future__ import annotations

from conformance.programs.generator.memory import is_saved, target
from conformance.programs.generator.scope import DrawStep, Scope, Unfit
from conformance.programs.program import Body, Step

# A value of a scope within a scope is returned as it is: its flag shows the mode in which it was made.
SCOPES = ("no_grad", "enable_grad", "saved_hooks")


def mode(scope: Scope) -> int:
    """Some steps without recording, with recording, or with hooks on what is saved."""
    x = scope.some()
    known = scope.known(x)
    inner = scope.inside([scope.parameter(known.shape, known.range)])
    scope.grow(inner)
    gives = len(inner.values) - 1
    if not inner.steps or inner.steps[-1].form not in SCOPES:
        gives = inner.add("np.sin", (gives,))
    form = scope.draws.one_of(("no_grad", "no_grad", "enable_grad", "saved_hooks"))
    return scope.add(form, (x,), bounds=(-1.0, 1.0), bodies=(inner.body(gives),))


def unrecorded(scope: Scope) -> int:
    """A write that is not recorded; also into a leaf."""
    x = scope.some(lambda known: not known.spread)
    known = scope.known(x)
    y = scope.some(lambda other: other.shape == known.shape)
    form = scope.draws.one_of(("no_grad_copy", "no_grad_multiply", "add_to_data"))
    if form == "add_to_data" and is_saved(scope, known):
        # No engine detects a write through `data`, and no documentation lists the values that an operation saves.
        raise Unfit
    return scope.add(form, (x, y))


def hook(scope: Scope) -> int:
    """A hook, which returns another gradient; or a gradient that is retained."""
    x = scope.some(lambda known: known.depends)
    known, kind = scope.known(x), scope.draws.below(6)
    start = len(scope.values)
    # A hook that doubles the gradient shows in the numbers how often, and where, it ran.
    doubled = Body(1, (Step("np.add", (start, start)),), (start + 1,))
    nothing = Body(1, (), ())
    if kind == 0:
        return scope.add("retain_gradient", (x,))
    if kind == 1 and known.leaf:
        return scope.add("post_accumulate_hook", (x,), bodies=(nothing,))
    if kind == 2 and not known.leaf:
        return scope.add("node_hook", (x,), bodies=(nothing,))
    if kind == 5:
        return scope.add("hook", (x,), bodies=(nothing,))
    return scope.add("hook", (x,), bodies=(doubled,))


def custom(scope: Scope) -> int:
    """A custom function that changes its argument in place, or has two outputs."""
    if scope.draws.happens(0.5):
        return scope.add("custom_dirty", (target(scope),))
    x = scope.some()
    return scope.add("custom_constant" if scope.draws.happens(0.3) else "custom_of_two", (x,))


def flag(scope: Scope) -> int:
    """Python's += on an array, and flags that are changed after the fact."""
    x = target(scope)
    known, kind = scope.known(x), scope.draws.below(3)
    alone = sum(value is not None and value.memory == known.memory for value in scope.values) == 1
    if kind < 2 and alone:
        # Whether views that were made before then require grad, or have a history, is documented nowhere.
        return scope.add(("detach_", "require_grad")[kind], (x,))
    y = scope.some(lambda other: other.shape == known.shape)
    return scope.add("augment", (x, y))


def again(scope: Scope) -> int:
    """A gradient in the middle of a program, which takes part in what follows."""
    x, y = _tracked(scope), _tracked(scope)
    if x is None or y is None:
        raise Unfit
    if scope.draws.happens(0.3):
        return scope.add("backward_to", (x, y))
    made = scope.add("grad_of", (x, y), scope.draws.happens(0.7))
    # A gradient may be an expanded array: its layout is documented nowhere, so it is not written.
    scope.known(made).spread = True
    return made


def _tracked(scope: Scope) -> int | None:
    return scope.choose(lambda known: known.depends)


TAPE_STEPS: dict[str, DrawStep] = {
    function.__name__: function for function in (mode, unrecorded, hook, custom, flag, again)
}


def add_backward(scope: Scope) -> None:
    """Add one or two backward passes, of which the second may find its graph freed."""
    x = _tracked(scope)
    if x is None:
        return
    scope.add("backward", (x,), scope.draws.happens(0.4))
    if scope.draws.happens(0.4) and (y := _tracked(scope)) is not None:
        scope.add("backward", (y,), False)
