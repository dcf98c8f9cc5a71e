"""Derivatives given by hand, and memory traded for recomputation."""

from __future__ import annotations

from typing import Any

import autograd
from autograd.extend import defjvp, defjvp_argnums, defvjp_argnums, primitive, vspace

from conformance.protocol.types import Program, Rule


class HipsRuleVerbs:
    """The groups CustomRules and Checkpointing of the protocol."""

    def custom_vjp(self, forward: Rule, backward: Rule, primal: Rule = None) -> Program:
        """Idiom: a rule is made of the arguments and the output; what forward keeps is computed again for it."""
        custom: Program = primitive(primal or (lambda *args, **options: forward(*args, **options)[0]))  # type: ignore[misc]
        if forward is not None and backward is not None:
            # The engine passes the numbers of the arguments to differentiate, and expects a gradient for each.
            def rule(argnums: Any, output: Any, args: Any, options: Any) -> Program:
                kept = forward(*args, **options)[1]
                return lambda cotangent: [backward(kept, cotangent)[number] for number in argnums]

            defvjp_argnums(custom, rule)
        return custom

    def custom_jvp(self, program: Program, rule: Rule) -> Program:
        """Idiom: the rule of all arguments at once; one that is not differentiated has a tangent of zeros."""
        custom: Program = primitive(program)
        if rule is not None:

            def given(argnums: Any, tangents: Any, output: Any, args: Any, options: Any) -> Any:
                known = dict(zip(argnums, tangents, strict=True))
                every = (known.get(number, vspace(arg).zeros()) for number, arg in enumerate(args))
                return rule(args, tuple(every))[1]

            defjvp_argnums(custom, given)
        return custom

    def custom_jvps(self, program: Program, *rules: Rule) -> Program:
        custom: Program = primitive(program)
        defjvp(custom, *rules)
        return custom

    def checkpoint(self, program: Program) -> Program:
        return autograd.checkpoint(program)
