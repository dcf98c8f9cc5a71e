"""Custom functions: what a transform asks of one, and how it is mapped over a batch."""

from conformance.behaviour import MUST, behaviour, torch, torch_func
from conformance.expect import close, equal, raises

FUNC = "notes/extending.func"


@behaviour(
    MUST,
    torch(FUNC, raises=RuntimeError, says="setup_context"),
    torch_func(FUNC, raises=RuntimeError, says="setup_context"),
)
def a_transform_needs_a_separate_context(ad):
    """A transform refuses a function whose forward takes the context: it has to be set up apart."""
    double = ad.custom_function(lambda ctx, x: 2 * x, lambda ctx, g: 2 * g, generate_vmap_rule=True)
    raises(lambda: ad.vmap(double)(ad.array([3.0, 5.0])))


def _cube(ad):
    def setup_context(ctx, inputs, output):
        ad.save_for_backward_(ctx, *inputs)

    def backward(ctx, g):
        (x,) = ad.saved(ctx)
        return 7 * x * x * g

    return ad.custom_function(lambda x: x * x * x, backward, setup_context, generate_vmap_rule=True)


@behaviour(MUST, torch("notes/extending", "Extending torch.autograd"), torch_func(FUNC))
def a_function_with_a_separate_context_nests(ad):
    """A function whose context is set up apart can be differentiated twice: 7 x^2 has 42 at 3."""
    close(ad.grad(ad.grad(_cube(ad)))(ad.array(3.0)), 42.0)


@behaviour(
    MUST,
    torch("torch.autograd.Function.vmap", raises=RuntimeError, says="vmap support"),
    torch_func(FUNC, raises=RuntimeError, says="vmap support"),
)
def batching_needs_a_batching_rule(ad):
    """Mapping over a batch refuses a function that has no batching rule."""
    double = ad.custom_function(lambda x: 2 * x, lambda ctx, g: 2 * g, lambda ctx, inputs, output: None)
    raises(lambda: ad.vmap(double)(ad.array([3.0, 5.0])))


@behaviour(MUST, torch("torch.autograd.Function.vmap"), torch_func(FUNC))
def a_generated_batching_rule_equals_a_loop(ad):
    """A generated batching rule does for a batch what the function does for each element."""
    close(ad.vmap(_cube(ad))(ad.array([1.0, 2.0, 3.0])), [1.0, 8.0, 27.0])


@behaviour(MUST, torch("torch.autograd.Function.vmap"), torch_func(FUNC))
def a_batching_rule_is_given_the_batch(ad):
    """A batching rule is given the batch size, the randomness, and each argument's batch axis, or None."""
    seen = []

    def rule(info, in_axes, x, y):
        seen.append((ad.batch_of(info), in_axes[1]))
        return 10 * ad.view_by(x, "movedim", in_axes[0], 0) * y, 0

    scaled = ad.custom_function(lambda x, y: x * y, None, lambda ctx, inputs, output: None, vmap=rule)
    columns = ad.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    close(ad.vmap(scaled, (1, None))(columns, ad.array(2.0)), [[20.0, 80.0], [40.0, 100.0], [60.0, 120.0]])
    equal(seen, [((3, "error"), None)])


@behaviour(
    MUST,
    torch("torch.autograd.Function.vmap", raises=RuntimeError, says="generate_vmap_rule"),
    torch_func(FUNC, raises=RuntimeError, says="generate_vmap_rule"),
)
def two_batching_rules_are_refused(ad):
    """A function that has a batching rule by hand, and asks for a generated one, is refused when it is mapped."""

    def rule(info, in_axes, x):
        return 2 * x, 0

    def setup_context(ctx, inputs, output):
        return None

    double = ad.custom_function(lambda x: 2 * x, None, setup_context, vmap=rule, generate_vmap_rule=True)
    raises(lambda: ad.vmap(double)(ad.array([3.0, 5.0])))


@behaviour(MUST, torch("torch.autograd.Function.vmap"), torch_func(FUNC))
def a_batching_rule_places_its_batch(ad):
    """A batching rule says where it has put the batch: what it returns along axis 1 comes out along axis 0."""

    def rule(info, in_axes, row):
        return 10 * ad.np.transpose(row), 1

    double = ad.custom_function(lambda row: 2 * row, None, lambda ctx, inputs, output: None, vmap=rule)
    close(ad.vmap(double)(ad.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])), [[10.0, 20.0, 30.0], [40.0, 50.0, 60.0]])


@behaviour(MUST, torch("torch.autograd.Function.vmap"), torch_func(FUNC))
def a_generated_batching_rule_is_differentiable(ad):
    """The gradient of a mapped function is that of its own backward, mapped too: 7 x^2 is 7, 28 and 63."""
    gradient = ad.grad(lambda x: ad.np.sum(ad.vmap(_cube(ad))(x)))
    close(gradient(ad.array([1.0, 2.0, 3.0])), [7.0, 28.0, 63.0])


def _marked(ad, seen):
    """Twice x and three times y, of which the first is marked as constant; what backward is given is noted."""

    def setup_context(ctx, inputs, output):
        ad.mark_non_differentiable_(ctx, output[0])
        ad.set_materialize_grads_(ctx, False)

    def backward(ctx, first, second):
        seen.append((ad.needs_input_grad(ctx), first))
        return None, 3 * second

    return ad.custom_function(lambda x, y: (2 * x, 3 * y), backward, setup_context, generate_vmap_rule=True)


@behaviour(MUST, torch("torch.autograd.Function.vmap"), torch(FUNC), torch_func(FUNC))
def a_generated_batching_rule_keeps_the_context(ad):
    """A mapped backward is told, as a plain one is, that x needs no gradient, and that the first output has none."""
    seen, y = [], ad.leaf([3.0, 5.0])
    _, second = ad.vmap(_marked(ad, seen))(ad.array([1.0, 2.0]), y)
    ad.backward(ad.np.sum(second))
    close(ad.gradient_of(y), [3.0, 3.0])
    equal(seen, [((False, True), None)])


@behaviour(MUST, torch("torch.autograd.function.FunctionCtx.mark_non_differentiable"), torch(FUNC), torch_func(FUNC))
def a_mapped_output_marked_constant_does_not_require_grad(ad):
    """An output marked as constant is one of the mapped function, too: it does not require grad."""
    first, second = ad.vmap(_marked(ad, []))(ad.array([1.0, 2.0]), ad.leaf([3.0, 5.0]))
    equal((ad.requires_grad(first), ad.requires_grad(second)), (False, True))


@behaviour(MUST, torch("torch.autograd.Function.vmap"), torch(FUNC), torch_func(FUNC))
def a_generated_batching_rule_is_pushed_forward(ad):
    """The tangent of a mapped function is that of its own forward rule, mapped too: 7 x along 10 is 70 x."""

    def setup_context(ctx, inputs, output):
        ad.save_for_forward_(ctx, *inputs)

    def rule(ctx, tangent):
        return 7 * ad.saved(ctx)[0] * tangent

    square = ad.custom_function(lambda x: x * x, None, setup_context, jvp=rule, generate_vmap_rule=True)
    x, along = ad.array([1.0, 2.0, 3.0]), ad.array([10.0, 10.0, 10.0])
    close(ad.jvp(ad.vmap(square), (x,), (along,)), ([1.0, 4.0, 9.0], [70.0, 140.0, 210.0]))
