"""Recomputation: what a checkpointed program keeps, computes again, and may not do; the tape has `checkpointing`."""

from conformance.behaviour import MAY, MUST, behaviour, jax, torch
from conformance.expect import an_error, close, equal, one_of, raises

BOOL = "jax.errors.TracerBoolConversionError"
NAMES = "Custom policies for what's saveable"


@behaviour(MUST, jax("jax.checkpoint"), torch("checkpoint"))
def a_checkpoint_changes_neither_value_nor_gradient(ad):
    """A checkpointed program has the value of the program, and its cotangents: (x + 2) e^x is 2 at 0, its slope 3."""
    output, pullback = ad.vjp(ad.checkpoint(lambda x: (x + 2) * ad.np.exp(x)), ad.array(0.0))
    close(output, 2.0)
    close(pullback(ad.array(5.0)), (15.0,))


@behaviour(MUST, jax("jax.checkpoint"), jax("gradient-checkpointing"))
def a_checkpoint_keeps_its_inputs_only(ad):
    """A checkpointed program keeps its argument for the backward pass, where the program keeps three values."""

    def program(x):
        return ad.np.sin(ad.np.sin(ad.np.sin(x)))

    x = ad.array(3.0)
    equal(len(ad.saved_residuals(program, x)), 3)
    (kept,) = ad.saved_residuals(ad.checkpoint(program), x)
    equal("from the argument x" in kept, True)


@behaviour(MUST, jax("jax.checkpoint"), jax("gradient-checkpointing"))
def a_checkpoint_computes_its_operations_again(ad):
    """The backward pass computes a checkpoint's operations once more: an observer among them is called again."""
    seen = []

    def program(x):
        ad.debug_callback(lambda value: seen.append(value), x)
        return ad.np.exp(x) * x

    output, pullback = ad.vjp(ad.checkpoint(program), ad.array(0.0))
    close(output, 0.0)
    equal(len(seen), 1)
    close(pullback(ad.array(5.0)), (5.0,))
    equal(len(seen), 2)


@behaviour(MUST, jax("jax.checkpoint"), torch("checkpoint"))
def a_checkpoint_has_second_derivatives(ad):
    """A checkpointed program can be differentiated twice: x^3 has 6 x."""
    second = ad.grad(ad.grad(ad.checkpoint(lambda x: x * x * x)))
    close(second(ad.array(3.0)), 18.0)


@behaviour(MUST, jax("gradient-checkpointing", NAMES))
def a_name_changes_nothing(ad):
    """Naming a value, so that a checkpoint may keep it, changes neither the value nor the gradient."""
    output, pullback = ad.vjp(lambda x: (x + 2) * ad.checkpoint_name(ad.np.exp(x), "power"), ad.array(0.0))
    close(output, 2.0)
    close(pullback(ad.array(5.0)), (15.0,))


def doubled_or_turned(x):
    return 2 * x if x > 0 else -x


@behaviour(
    MUST,
    raises=jax("jax.checkpoint", raises=BOOL, says="boolean conversion"),
    followed=torch("checkpoint"),
)
def a_branch_on_a_value_in_a_checkpoint(ad):
    """A checkpointed program that branches on its value is traced without one and refused, or follows the branch."""
    gradient = ad.grad(ad.checkpoint(doubled_or_turned))
    return one_of(lambda: gradient(ad.array(3.0)), raises=an_error, followed=2.0)


@behaviour(MUST, jax("array_refs", "Restrictions"))
def a_checkpoint_writes_nothing_outside(ad):
    """A checkpointed program that writes into a reference from outside is refused: it would write twice."""
    counter = ad.new_reference(ad.array(1.0))

    def program(x):
        ad.write_reference_(counter, ad.read_reference(counter) + 1)
        return ad.np.exp(x) * x

    raises(lambda: ad.grad(ad.checkpoint(program))(ad.array(3.0)))


@behaviour(MAY, jax("random-numbers"))
def a_draw_is_the_same_again(ad):
    """A draw within a checkpoint is the same when it is computed again: n e^(n x) has the slope n^2 at 0."""
    output, pullback = ad.vjp(
        ad.checkpoint(lambda x: ad.normal(ad.key(7)) * ad.np.exp(ad.normal(ad.key(7)) * x)), ad.array(0.0)
    )
    (cotangent,) = pullback(ad.array(1.0))
    close(cotangent, ad.to_numpy(output * output))
