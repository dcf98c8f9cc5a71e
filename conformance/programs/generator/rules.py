"""Steps with custom rules that are not derivatives, and guards of a domain."""

from __future__ import annotations

from conformance.programs.forms import FORMS
from conformance.programs.generator.memory import target
from conformance.programs.generator.scope import DrawStep, Scope, Unfit, one_value
from conformance.programs.generator.transforms import rules


def custom_rule(*forms: str) -> DrawStep:
    """A function of one value with a rule of a user, which is not its derivative."""

    def add_step(scope: Scope) -> int:
        form = scope.draws.one_of(forms)
        if scope.forward and FORMS[form].reverse_only:
            raise Unfit
        # Forms with bodies for function and rule are drawn by `rules`.
        return rules(form)(scope) if FORMS[form].arguments else scope.add(form, (scope.some(),))

    return add_step


def doubled_in_place(scope: Scope) -> int:
    """A custom function that changes its argument in place, with a rule for each mode."""
    return scope.add("doubled_in_place", (target(scope),))


def guard(scope: Scope) -> int:
    """One of two branches, of which the other would be NaN; or the gradients of that, mapped."""
    form, axes = scope.draws.one_of((("guarded", 0), ("guarded_gradients", 1)))
    x = scope.some(lambda known: len(known.shape) == axes and 0 not in known.shape)
    return scope.add(form, (x,))


# Forms that the kinds `rules` and `traced_rules` both have.
OWN = ("scaled_rule", "reversed_gradient", "clipped_gradient", "straight_through")

RULE_STEPS: dict[str, DrawStep] = {
    "own_rule": custom_rule(*OWN, "rounded_function"),
    "own_traced_rule": custom_rule(*OWN, "rounded_jvp"),
    "rule_with_hooks": custom_rule("rule_with_hooks"),
    "doubled_in_place": doubled_in_place,
    # An error: the other operand has 5 elements, and has to misfit.
    "refused_write": one_value("refused_write", lambda known: 5 not in known.shape),
    "mask": one_value("masked_log"),
    "guard": guard,
}
