"""Recomputation: what jax.checkpoint saves, what it computes again, and what a checkpointed function may not do."""

from conformance.behaviour import MAY, MUST, behaviour, hips, jax, torch
from conformance.expect import an_error, close, equal, one_of

BOOL = "jax.errors.TracerBoolConversionError"
CHECKPOINT = "torch.utils.checkpoint.checkpoint"
NAMES = "Custom policies for what's saveable"


@behaviour(
    MUST,
    jax("jax.checkpoint"),
    torch("checkpoint", CHECKPOINT),
    hips("differential_operators", "checkpoint"),
    aliases=("activation checkpointing, gradient checkpointing",),
)
def a_checkpoint_changes_neither_value_nor_gradient(ad):
    """A checkpoint changes neither value nor VJP of a pure function: (x + 2) eˣ at 0 has value 2 and derivative 3."""
    output, pullback = ad.vjp(ad.checkpoint(lambda x: (x + 2) * ad.np.exp(x)), ad.array(0.0))
    close(output, 2.0)
    close(pullback(ad.array(5.0)), (15.0,))


@behaviour(
    MUST,
    jax("jax.checkpoint"),
    jax("gradient-checkpointing"),
    aliases=("rematerialization, remat", "print_saved_residuals"),
)
def a_checkpoint_saves_its_inputs_only(ad):
    """By default, a checkpointed function saves only its inputs for the backward pass, no intermediates (residuals)."""

    def program(x):
        return ad.np.sin(ad.np.sin(ad.np.sin(x)))

    x = ad.array(3.0)
    equal(len(ad.saved_residuals(program, x)) > 1, True)
    (kept,) = ad.saved_residuals(ad.checkpoint(program), x)
    equal("from the argument x" in kept, True)


@behaviour(MAY, jax("jax.checkpoint"), jax("jax.debug.callback"))
def a_checkpoint_computes_its_operations_again(ad):
    """By default, the backward pass recomputes a checkpointed function: here, a debug callback in it runs again."""
    seen = []

    def program(x):
        ad.debug_callback(lambda value: seen.append(value), x)
        return ad.np.exp(x) * x

    output, pullback = ad.vjp(ad.checkpoint(program), ad.array(0.0))
    close(output, 0.0)
    equal(len(seen), 1)
    close(pullback(ad.array(5.0)), (5.0,))
    equal(len(seen), 2)


@behaviour(MUST, jax("jax.checkpoint"), jax("higher-order"), torch("checkpoint", CHECKPOINT))
def a_checkpoint_has_second_derivatives(ad):
    """A checkpoint (non-reentrant) can be differentiated twice: the second derivative of x³ at 3 is 18."""
    second = ad.grad(ad.grad(ad.checkpoint(lambda x: x * x * x)))
    close(second(ad.array(3.0)), 18.0)


@behaviour(MUST, jax("gradient-checkpointing", NAMES), aliases=("save_only_these_names, checkpoint policy",))
def checkpoint_name_is_the_identity(ad):
    """checkpoint_name() is the identity: it changes neither the value nor the VJP."""
    output, pullback = ad.vjp(lambda x: (x + 2) * ad.checkpoint_name(ad.np.exp(x), "power"), ad.array(0.0))
    close(output, 2.0)
    close(pullback(ad.array(5.0)), (15.0,))


def doubled_or_turned(x):
    return 2 * x if x > 0 else -x


@behaviour(
    MUST,
    raises=(jax("errors", BOOL, raises=BOOL), jax("jax.checkpoint")),
    followed=torch("checkpoint", CHECKPOINT),
    aliases=("tracerboolconversionerror in jax.checkpoint",),
)
def a_branch_on_a_value_in_a_checkpoint(ad):
    """A Python `if` on an input's value in a checkpointed function works, or raises an error if it is traced."""
    gradient = ad.grad(ad.checkpoint(doubled_or_turned))
    return one_of(lambda: gradient(ad.array(-3.0)), raises=an_error, followed=-1.0)


# The page rules such a write out; jax-ml/jax#33050 lets it run in the forward pass alone, on purpose. Both are right.
def after(ad, counter, gradient):
    """What a gradient leaves in the counter: 2 after one write, and where the engine does not support the write."""
    try:
        gradient(ad.array(3.0))
    except NotImplementedError:
        return 2.0
    return ad.to_numpy(ad.read_reference(counter))


@behaviour(MUST, jax("array_refs", "Restrictions"), aliases=("side effects in jax.checkpoint",))
def a_write_to_an_outer_ref_runs_once_at_most(ad):
    """A write to an outer Ref in a checkpointed function raises an error, or happens once, not again in backward."""
    counter = ad.new_reference(ad.array(1.0))

    def program(x):
        ad.write_reference_(counter, ad.read_reference(counter) + 1)
        return ad.np.exp(x) * x

    close(after(ad, counter, ad.grad(ad.checkpoint(program))), 2.0)


@behaviour(MUST, jax("random-numbers"))
def a_random_draw_is_recomputed_the_same(ad):
    """A random number n drawn from a key is the same in the recomputation: n exp(nx) has the gradient n² at 0."""
    output, pullback = ad.vjp(
        ad.checkpoint(lambda x: ad.normal(ad.key(7)) * ad.np.exp(ad.normal(ad.key(7)) * x)), ad.array(0.0)
    )
    (cotangent,) = pullback(ad.array(1.0))
    close(cotangent, ad.to_numpy(output * output))


@behaviour(MUST, jax("gradient-checkpointing"))
def a_checkpoint_changes_no_tangent(ad):
    """A checkpoint changes neither the output nor the tangent of a JVP, here of ax³ at (3, 2) for tangents (11, 7)."""
    primals, tangents = (ad.array(3.0), ad.array(2.0)), (ad.array(11.0), ad.array(7.0))
    close(ad.jvp(ad.checkpoint(lambda a, x: a * x**3), primals, tangents), (24.0, 340.0))


@behaviour(MUST, jax("jax.remat"), jax("jax.checkpoint"), aliases=("jax.remat",))
def remat_is_checkpoint(ad):
    """jax.remat is an alias of jax.checkpoint: it changes neither output nor gradient, and saves only inputs, or what
    its policy says."""
    x, program = ad.array(2.0), lambda x: 3 * (x * x) * (x * x)
    remat = ad.checkpoint(program, spelling="remat")
    (kept,) = ad.saved_residuals(remat, x)
    equal("from the argument x" in kept, True)
    close((remat(x), ad.grad(remat)(x)), (48.0, 96.0))
    policy = ad.checkpoint_policy("everything_saveable")
    equal(len(ad.saved_residuals(ad.checkpoint(program, policy=policy, spelling="remat"), x)) > 1, True)


@behaviour(MAY, jax("jax.checkpoint"), jax("gradient-checkpointing"), aliases=("recursive checkpointing",))
def checkpoints_can_be_nested(ad):
    """A checkpoint can be applied to a function that is checkpointed inside: the gradient of (x² + 1)³ is 6x (x² +
    1)²."""
    inner = ad.checkpoint(lambda x: x * x + 1)
    outer = ad.checkpoint(lambda x: inner(x) * inner(x) * inner(x))
    close(ad.grad(outer)(ad.array(2.0)), 300.0)


def _chain(ad, half, quarter):
    """Eight sines: of the whole the half that comes first is wrapped, of each half the quarter that does."""

    def two(x):
        return ad.np.sin(ad.np.sin(x))

    def four(x):
        return two(quarter(two)(x))

    return lambda x: four(half(four)(x))


@behaviour(MAY, jax("jax.checkpoint"), jax("gradient-checkpointing"))
def nested_checkpoints_save_fewer_values(ad):
    """If jax.checkpoint is applied recursively to the halves of a chain of eight functions, fewer values are saved than
    if only the whole is halved, and fewer still than without a checkpoint."""
    x, alone = ad.array(0.5), lambda part: part
    plain = len(ad.saved_residuals(_chain(ad, alone, alone), x))
    once = len(ad.saved_residuals(_chain(ad, ad.checkpoint, alone), x))
    nested = len(ad.saved_residuals(_chain(ad, ad.checkpoint, ad.checkpoint), x))
    equal((nested < once, once < plain), (True, True))


def _of_flag(x, training):
    return 2 * x if training else -x


@behaviour(
    MUST,
    jax("jax.checkpoint"),
    aliases=("is_training flag in jax.checkpoint",),
)
def a_static_argument_can_be_branched_on(ad):
    """A Python `if` on an argument of a checkpointed function works if it is among `static_argnums`, for each value."""
    checkpointed = ad.checkpoint(_of_flag, static_argnums=(1,))
    training, testing = ad.grad(lambda x: checkpointed(x, True)), ad.grad(lambda x: checkpointed(x, False))
    close((training(ad.array(3.0)), testing(ad.array(3.0))), (2.0, -1.0))


@behaviour(MAY, jax("gradient-checkpointing", "Practical notes"), aliases=("remat scan body",))
def the_body_of_a_scan_can_be_checkpointed(ad):
    """The body function of scan can be checkpointed, which changes no gradient, here of the product of a carry and
    xs."""
    body = ad.checkpoint(lambda carry, x: (carry * x, ad.np.sin(carry)))

    def product(initial, xs):
        return ad.scan(body, initial, xs)[0]

    gradient = ad.grad(product, argnums=(0, 1))
    close(gradient(ad.array(2.0), ad.array([3.0, 5.0, 7.0])), (105.0, [70.0, 42.0, 30.0]))


@behaviour(MUST, jax("jax.checkpoint"), torch("checkpoint", CHECKPOINT))
def a_checkpoint_of_containers_changes_no_gradient(ad):
    """A checkpoint (in PyTorch, with use_reentrant=False) of a function that takes and returns containers changes no
    gradient of the arrays in them."""
    checkpointed = ad.checkpoint(lambda pair: {"sum": pair[0] + 2 * pair[1], "product": pair[0] * pair[1]})

    def program(x, y):
        outputs = checkpointed([x, y])
        return 5 * outputs["sum"] + 7 * outputs["product"]

    close(ad.grad(program, argnums=(0, 1))(ad.array(2.0), ad.array(3.0)), (26.0, 24.0))
