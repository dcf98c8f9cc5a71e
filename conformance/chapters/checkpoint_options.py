"""Checkpoint options: early stop, groups of backward passes, segments, and what only one variant supports."""

from conformance.behaviour import MAY, MUST, SHOULD, behaviour, jax, torch
from conformance.expect import close, equal, raises

CHECKPOINT = "torch.utils.checkpoint.checkpoint"
EARLY = "torch.utils.checkpoint.set_checkpoint_early_stop"
DEBUG = "torch.utils.checkpoint.set_checkpoint_debug_enabled"
GROUP = "torch.utils.checkpoint.GraphExecGroup"
SEQUENTIAL = "torch.utils.checkpoint.checkpoint_sequential"
WAYS = {"reentrant": (True,), "not_reentrant": (False,)}


def _noting(ad, notes):
    """5 sin(sin(x)), whose sines save their inputs. It notes that it reached each operation, and its end."""

    def program(x):
        notes.append("first")
        y = ad.np.sin(x)
        notes.append("second")
        y = ad.np.sin(y)
        notes.append("third")
        y = 5 * y
        notes.append("end")
        return y

    return program


def _rerun(ad, notes, y):
    """What is noted while `y` is run backward."""
    notes.clear()
    ad.backward(y)
    return notes


NEEDED = ["first", "second"]
ALL = ["first", "second", "third", "end"]


@behaviour(
    MUST,
    torch("checkpoint", CHECKPOINT),
    cases={
        "default": (False, None, NEEDED),
        "on": (False, True, NEEDED),
        "off": (False, False, ALL),
        "reentrant": (True, None, ALL),
        "reentrant_on": (True, True, ALL),
        "reentrant_off": (True, False, ALL),
    },
    aliases=("early_stop",),
)
def a_checkpoint_stops_early(ad, use_reentrant, early_stop, expected):
    """A checkpoint with use_reentrant=False stops recomputation as soon as all needed tensors are computed, unless
    early_stop=False; one with use_reentrant=True recomputes the whole function with either."""
    notes, x = [], ad.leaf(0.0)
    program = ad.checkpoint(_noting(ad, notes), use_reentrant=use_reentrant, early_stop=early_stop)
    equal(_rerun(ad, notes, program(x)), expected)
    close(ad.gradient_of(x), 5.0)


@behaviour(
    MUST,
    torch("checkpoint", EARLY),
    torch("checkpoint", CHECKPOINT),
    cases={"off": (False, True, ALL), "on": (True, False, NEEDED)},
)
def set_checkpoint_early_stop_overrides_the_argument(ad, flag, early_stop, expected):
    """set_checkpoint_early_stop() around the forward pass overrides the argument `early_stop` of a checkpoint with
    use_reentrant=False, also if the backward pass runs outside."""
    notes = []
    program = ad.checkpoint(_noting(ad, notes), use_reentrant=False, early_stop=early_stop)
    with ad.checkpoint_early_stop(flag):
        y = program(ad.leaf(0.0))
    equal(_rerun(ad, notes, y), expected)


@behaviour(MAY, torch("checkpoint", EARLY))
def set_checkpoint_early_stop_around_backward_has_no_effect(ad):
    """set_checkpoint_early_stop() around the backward pass alone has no effect on a checkpoint whose forward pass ran
    outside."""
    notes = []
    y = ad.checkpoint(_noting(ad, notes), use_reentrant=False)(ad.leaf(0.0))
    with ad.checkpoint_early_stop(False):
        equal(_rerun(ad, notes, y), NEEDED)


def _two_outputs(ad, x, calls, use_reentrant=False):
    """5 sin(x) and 7 exp(x) of one checkpoint."""

    def program(x):
        calls.append(x)
        return 5 * ad.np.sin(x), 7 * ad.np.exp(x)

    return ad.checkpoint(program, use_reentrant=use_reentrant)(x)


@behaviour(
    MUST,
    torch("checkpoint", GROUP),
    torch("checkpoint", CHECKPOINT),
    cases={"not_reentrant": (False, 2), "reentrant": (True, 3)},
    aliases=("recompute once for several backward calls",),
)
def a_group_recomputes_a_checkpoint_once(ad, use_reentrant, count):
    """Under one GraphExecGroup, several backward() calls recompute a checkpoint with use_reentrant=False at most once;
    with use_reentrant=True, each of them recomputes it."""
    calls, x = [], ad.leaf(0.0)
    first, second = _two_outputs(ad, x, calls, use_reentrant)
    with ad.backward_group():
        ad.backward(first, retain_graph=True)
        ad.backward(second)
    close(ad.gradient_of(x), 12.0)
    equal(len(calls), count)


@behaviour(SHOULD, torch("checkpoint", GROUP, raises=Exception, says="GraphExecGroup"))
def backward_passes_of_a_group_cannot_overlap(ad):
    """Under one GraphExecGroup, a second backward() call that uses the same saved tensor of a checkpoint with
    use_reentrant=False raises an error, also with retain_graph=True."""
    first, _ = _two_outputs(ad, ad.leaf(0.0), [])
    with ad.backward_group():
        ad.backward(first, retain_graph=True)
        raises(lambda: ad.backward(first, retain_graph=True))


def _factors(ad, calls):
    """Six functions that multiply x² by a factor, and note it."""

    def noted(factor):
        calls.append(factor)
        return factor

    return [lambda x, factor=factor: noted(factor) * x**2 for factor in (2.0, 0.5, 3.0, 0.25, 0.125, 0.75)]


@behaviour(MUST, torch("checkpoint", SEQUENTIAL), cases=WAYS, aliases=("checkpoint sequential model segments",))
def a_sequence_is_checkpointed_in_segments(ad, use_reentrant):
    """checkpoint_sequential() runs the functions in order; the backward pass runs every segment but the last again, on
    its saved input, here of functions that need a saved tensor."""
    calls, x = [], ad.leaf(1.0)
    y = ad.checkpoint_sequence(_factors(ad, calls), 3, use_reentrant=use_reentrant)(x)
    equal(calls, [2.0, 0.5, 3.0, 0.25, 0.125, 0.75])
    ad.backward(y)
    equal(sorted(calls[6:]), [0.25, 0.5, 2.0, 3.0])
    # The inputs of the three segments are 1, 2 and 36; y is 19683 x to the power of 64.
    close((y, ad.gradient_of(x)), (19683.0, 1259712.0))


def _longer(ad, calls, x):
    """A sum of exponentials, over a longer array each time."""
    calls.append(x)
    return ad.np.sum(ad.np.exp(ad.np.concat([x] * len(calls))))


def _message(ad, debug, scope):
    """What backward() through a checkpoint says if it runs exp first, and then tanh of a longer array."""
    operations = [lambda x: ad.np.exp(x), lambda x: ad.np.tanh(ad.np.concat([x, x]))]
    program = ad.checkpoint(lambda x: ad.np.sum(operations.pop(0)(x)), use_reentrant=False, debug=debug)
    with ad.checkpoint_debug(scope):
        y = program(ad.leaf([1.0, 2.0]))
    try:
        ad.backward(y)
    except RuntimeError as error:
        return str(error)
    return "no error"


@behaviour(
    MUST,
    torch("checkpoint", DEBUG),
    torch("checkpoint", CHECKPOINT),
    cases={
        "argument": (True, None, True),
        "argument_off": (False, None, False),
        "scope": (False, True, True),
        "scope_off": (True, False, False),
    },
)
def the_debug_flag_adds_a_trace_of_operations(ad, debug, scope, traced):
    """The error of a checkpoint with use_reentrant=False whose recomputation differs has a trace of the operations of
    both runs with debug=True, and none with debug=False; set_checkpoint_debug_enabled() overrides the argument."""
    message = _message(ad, debug, scope)
    equal(("checkpoint" in message, "aten.exp" in message, "aten.tanh" in message), (True, traced, traced))


@behaviour(
    MUST,
    torch("checkpoint", CHECKPOINT, raises=Exception, says="only supported when use_reentrant=False"),
    cases={
        "debug": (lambda ad: {"debug": True},),
        "context_fn": (lambda ad: {"context_fn": lambda: (ad.enable_grad(), ad.enable_grad())},),
    },
)
def a_reentrant_checkpoint_raises_for_options_of_the_other(ad, option):
    """A checkpoint with use_reentrant=True raises an error if debug=True or a `context_fn` is given."""
    program = ad.checkpoint(ad.np.exp, use_reentrant=True, **option(ad))
    raises(lambda: program(ad.leaf(0.0)))


@behaviour(MUST, torch("checkpoint", CHECKPOINT, raises=Exception, says="strict"))
def an_unknown_determinism_check_raises(ad):
    """A checkpoint with use_reentrant=False raises an error for a `determinism_check` other than "default" and
    "none"."""
    raises(lambda: ad.checkpoint(ad.np.exp, use_reentrant=False, determinism_check="strict")(ad.leaf(0.0)))


@behaviour(
    MUST, torch("checkpoint", CHECKPOINT), cases={"by_default": ({},), "default": ({"determinism_check": "default"},)}
)
def a_reentrant_checkpoint_compares_nothing(ad, given):
    """A checkpoint with use_reentrant=True makes no determinism check, also with `determinism_check`: a tensor within
    the function that is recomputed in another shape raises no error, where the output keeps its shape."""
    calls, x = [], ad.leaf([0.0, 1.0])
    ad.backward(ad.checkpoint(lambda x: _longer(ad, calls, x), use_reentrant=True, **given)(x))
    equal(len(calls), 2)


@behaviour(MUST, torch("checkpoint", CHECKPOINT), jax("jax.checkpoint"))
def a_checkpoint_takes_keyword_arguments(ad):
    """A checkpoint (in PyTorch, with use_reentrant=False) passes keyword arguments to the function, and passes the
    gradient to an array among them."""
    gradient = ad.grad(lambda x: ad.checkpoint(lambda first, *, second: first * second**2)(ad.array(5.0), second=x))
    close(gradient(ad.array(2.0)), 20.0)


@behaviour(MUST, torch("checkpoint", CHECKPOINT), cases={"reentrant": (True, False), "not_reentrant": (False, True)})
def the_reentrant_variant_does_not_record_the_forward_pass(ad, use_reentrant, recorded):
    """During a forward pass in grad mode, a checkpoint with use_reentrant=False records the graph of the function; one
    with use_reentrant=True does not."""
    seen = []

    def program(x):
        y = x * x
        seen.append((ad.is_recording(), ad.requires_grad(y)))
        return y

    ad.checkpoint(program, use_reentrant=use_reentrant)(ad.leaf(3.0))
    equal(seen, [(recorded, recorded)])


@behaviour(MUST, torch("checkpoint", CHECKPOINT))
def backward_can_be_run_inside_a_checkpoint(ad):
    """backward() can be run inside a function that is checkpointed with use_reentrant=False, on the graph recorded
    there."""
    inner = ad.leaf(2.0)

    def program(x):
        ad.backward(inner * inner * ad.detach(x))
        return x * x

    ad.checkpoint(program, use_reentrant=False)(ad.leaf(3.0))
    close(ad.gradient_of(inner), 12.0)


@behaviour(MUST, torch("checkpoint"), cases=WAYS)
def without_preserve_rng_state_other_numbers_are_drawn(ad, use_reentrant):
    """With preserve_rng_state=False, recomputing a checkpoint does not restore the random state: the gradient of r * x,
    r random, is the second draw."""
    ad.seed_(0)
    _, second = ad.to_numpy(ad.draw((2,))), ad.to_numpy(ad.draw((2,)))
    x = ad.leaf([2.0, 4.0])
    program = ad.checkpoint(lambda x: ad.draw((2,)) * x, use_reentrant=use_reentrant, preserve_rng_state=False)
    ad.seed_(0)
    ad.backward(ad.np.sum(program(x)))
    close(ad.gradient_of(x), second)


@behaviour(MUST, torch("checkpoint", CHECKPOINT), torch("torch.Tensor.backward"), cases=WAYS)
def a_retained_checkpoint_is_run_backward_twice(ad, use_reentrant):
    """After backward(retain_graph=True) through a checkpoint, backward() can be called a second time, and accumulates
    the same gradient."""
    x = ad.leaf([3.0, 4.0])
    y = ad.checkpoint(lambda x: x * x, use_reentrant=use_reentrant)(x)
    ad.backward(y, ad.array([1.0, 5.0]), retain_graph=True)
    ad.backward(y, ad.array([1.0, 5.0]))
    close(ad.gradient_of(x), [12.0, 80.0])


@behaviour(MUST, torch("torch.no_grad"), cases=WAYS)
def a_checkpoint_under_no_grad_does_not_require_grad(ad, use_reentrant):
    """Under no_grad(), the output of a checkpoint of x * x does not require grad, though x does."""
    x = ad.leaf(3.0)
    program = ad.checkpoint(lambda x: x * x, use_reentrant=use_reentrant)
    with ad.no_grad():
        y = program(x)
    equal(ad.requires_grad(y), False)


@behaviour(MUST, torch("checkpoint", CHECKPOINT), torch("torch.Tensor.backward"))
def every_input_of_a_checkpoint_has_a_gradient(ad):
    """backward() through a checkpoint with use_reentrant=False accumulates the gradient of each leaf among its
    arguments, also with a number between them."""
    x, y = ad.leaf([2.0, 3.0]), ad.leaf(5.0)
    ad.set_gradient_(x, ad.array([100.0, 200.0]))
    program = ad.checkpoint(lambda x, power, y: ad.np.sum(x**power) * y, use_reentrant=False)
    ad.backward(program(x, 2, y))
    close((ad.gradient_of(x), ad.gradient_of(y)), ([120.0, 230.0], 13.0))
