"""Custom functions: the jvp of a torch.autograd.Function, its tangents and what is saved for it."""

from conformance.behaviour import MUST, SHOULD, behaviour, torch
from conformance.expect import close, equal, raises

MATERIALIZE = "torch.autograd.function.FunctionCtx.set_materialize_grads"
FORWARD = "Forward mode AD"
SAVE = "torch.autograd.function.FunctionCtx.save_for_forward"


def _product(ad, seen, setup_context):
    def forward(x, y):
        return ad.np.sum(x * y)

    def jvp(ctx, first, second):
        seen.append((first, second))
        return 5 * first

    return ad.custom_function(forward, setup_context=setup_context, jvp=jvp)


@behaviour(MUST, torch(MATERIALIZE))
def jvp_is_given_zeros_for_a_missing_tangent(ad):
    """By default, the jvp of a custom Function receives zeros as the tangent of an input that has no tangent."""
    seen = []
    product = _product(ad, seen, lambda ctx, inputs, output: None)
    _ = ad.jvp(lambda x: product(x, ad.array([7.0, 11.0])), (ad.array(3.0),), (ad.array(2.0),))
    close(seen, ((2.0, [0.0, 0.0]),))


@behaviour(MUST, torch("notes/extending", "Forward mode AD"))
def jvp_can_be_given_none_for_a_missing_tangent(ad):
    """After set_materialize_grads(False), a custom Function's jvp receives None for an input without a tangent."""
    seen = []
    product = _product(ad, seen, lambda ctx, inputs, output: ad.set_materialize_grads_(ctx, False))
    _ = ad.jvp(lambda x: product(x, ad.array(7.0)), (ad.array(3.0),), (ad.array(2.0),))
    equal(seen[0][1], None)


def _saving_for_forward(ad, *further):
    def setup_context(ctx, inputs, output):
        ad.save_for_forward_(ctx, *inputs, *further)

    def jvp(ctx, tangent):
        return 7 * ad.saved(ctx)[0] * tangent

    return ad.custom_function(lambda x: x * x, setup_context=setup_context, jvp=jvp)


@behaviour(MUST, torch("autograd", SAVE))
def jvp_reads_what_was_saved_for_forward(ad):
    """A custom Function's jvp reads in ctx.saved_tensors what save_for_forward() saved."""
    close(ad.jvp(_saving_for_forward(ad), (ad.array(3.0),), (ad.array(2.0),)), (9.0, 42.0))


@behaviour(SHOULD, torch("autograd", SAVE, raises=Exception, says="arguments to be tensors"))
def only_tensors_can_be_saved_for_forward(ad):
    """save_for_forward() raises an error for a Python number: it takes only tensors and None."""
    square = _saving_for_forward(ad, 2.0)
    raises(lambda: ad.jvp(square, (ad.array(3.0),), (ad.array(2.0),)))


@behaviour(MUST, torch("notes/extending", "torch.autograd.Function.apply"))
def jvp_is_called_before_apply_returns(ad):
    """In forward mode, the jvp of a custom Function is called after its forward, and before apply() returns."""
    order = []
    double = ad.custom_function(
        lambda x: order.append("forward") or 2 * x,
        setup_context=lambda ctx, inputs, output: None,
        jvp=lambda ctx, tangent: order.append("jvp") or 5 * tangent,
    )
    _ = ad.jvp(lambda x: (double(x), order.append("returned"))[0], (ad.array(3.0),), (ad.array(2.0),))
    equal(order, ["forward", "jvp", "returned"])


def _marked(ad, ctx, inputs):
    ad.mark_dirty_(ctx, *inputs)


@behaviour(
    SHOULD,
    torch("notes/extending", FORWARD, raises=Exception, says="custom Function"),
    cases={
        "view": (
            lambda ad, x: ad.view(x, (2,)),
            lambda ad, ctx, inputs: None,
            lambda ad, t: ad.view(t, (2,)),
            lambda ad, t: ad.clone(ad.view(t, (2,))),
        ),
        "in_place": (lambda ad, x: ad.mul_(x, 2.0), _marked, lambda ad, t: ad.mul_(t, 2.0), lambda ad, t: 2 * t),
    },
)
def jvp_must_match_the_views_and_writes_of_forward(ad, forward, setup, right, wrong):
    """A jvp that returns a new tangent raises an error, if forward returns a view of its input or writes into it."""

    def pushed(rule):
        function = ad.custom_function(
            lambda x: forward(ad, x),
            setup_context=lambda ctx, inputs, output: setup(ad, ctx, inputs),
            jvp=lambda ctx, t: rule(ad, t),
        )
        return function(ad.make_dual(ad.array([[1.0], [2.0]]), ad.array([[3.0], [4.0]])))

    with ad.dual_level():
        _ = pushed(right)
        raises(lambda: pushed(wrong))
