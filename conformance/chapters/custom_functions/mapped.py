"""Custom functions: a torch.autograd.Function under vmap, grad and jvp."""

from conformance.behaviour import MAY, MUST, SHOULD, behaviour, torch, torch_func
from conformance.expect import close, equal, raises

VMAP = "torch.autograd.Function.vmap"
FUNC = "notes/extending.func"
EXTENDING = "Extending torch.autograd"


@behaviour(
    MUST,
    torch(FUNC, raises=Exception, says="setup_context"),
    torch_func(FUNC, raises=Exception, says="setup_context"),
    aliases=("setup_context staticmethod", "in order to use an autograd.function with functorch transforms"),
)
def vmap_needs_a_separate_setup_context(ad):
    """vmap raises an error for a custom Function whose forward takes `ctx`: it needs a separate setup_context."""
    double = ad.custom_function(lambda ctx, x: 2 * x, lambda ctx, g: 2 * g, generate_vmap_rule=True)
    raises(lambda: ad.vmap(double)(ad.array([3.0, 5.0])))


def _sum_of_cubes(ad):
    def setup_context(ctx, inputs, output):
        ad.save_for_backward_(ctx, *inputs)

    def backward(ctx, g):
        (x,) = ad.saved(ctx)
        return 7 * x * x * g

    return ad.custom_function(lambda x: ad.np.sum(x * x * x), backward, setup_context, generate_vmap_rule=True)


@behaviour(
    MUST, torch("notes/extending", EXTENDING), torch_func(FUNC), aliases=("double backward of a custom function",)
)
def the_backward_of_a_function_is_differentiable(ad):
    """A custom Function with setup_context supports double backward if its backward consists of differentiable
    operations: a backward of 7x² has the derivative 42 at 3."""
    close(ad.grad(ad.grad(_sum_of_cubes(ad)))(ad.array(3.0)), 42.0)


@behaviour(
    SHOULD,
    torch("torch.autograd.Function.vmap", raises=Exception, says="generate_vmap_rule"),
    torch_func(FUNC, raises=Exception, says="generate_vmap_rule"),
    aliases=("does not have vmap support",),
)
def vmap_needs_a_vmap_rule(ad):
    """vmap raises an error for a custom Function that has neither a vmap method nor generate_vmap_rule=True."""
    double = ad.custom_function(lambda x: 2 * x, lambda ctx, g: 2 * g, lambda ctx, inputs, output: None)
    raises(lambda: ad.vmap(double)(ad.array([3.0, 5.0])))


@behaviour(
    MUST, torch("torch.autograd.Function.vmap"), torch("torch.vmap"), torch_func(FUNC), torch_func("torch.func.vmap")
)
def a_generated_vmap_rule_equals_a_loop(ad):
    """With generate_vmap_rule=True, vmap of a custom Function that consists of PyTorch operations equals a loop over
    the examples."""
    rows = ad.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    close(ad.vmap(_sum_of_cubes(ad))(rows), [9.0, 91.0, 341.0])


@behaviour(MUST, torch("torch.autograd.Function.vmap"), torch_func(FUNC), aliases=("batching rule",))
def a_vmap_method_is_given_the_batch(ad):
    """A custom Function's vmap method receives batch size and randomness (info), and each input's batch dim or None."""
    seen = []

    def rule(info, in_axes, x, y):
        seen.append((ad.vmap_info(info), in_axes[1]))
        return 10 * ad.view_by(x, "movedim", in_axes[0], 0) * y, 0

    scaled = ad.custom_function(lambda x, y: x * y, None, lambda ctx, inputs, output: None, vmap=rule)
    columns = ad.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    close(ad.vmap(scaled, (1, None))(columns, ad.array(2.0)), [[20.0, 80.0], [40.0, 100.0], [60.0, 120.0]])
    equal(seen, [((3, "error"), None)])


@behaviour(
    MUST,
    torch(VMAP, "torch.autograd.Function.generate_vmap_rule", raises=Exception, says="generate_vmap_rule"),
    torch_func(FUNC, raises=Exception, says="generate_vmap_rule"),
)
def two_vmap_rules_raise_an_error(ad):
    """vmap raises an error for a custom Function that has both a vmap method and generate_vmap_rule=True."""

    def rule(info, in_axes, x):
        return 2 * x, 0

    def setup_context(ctx, inputs, output):
        return None

    double = ad.custom_function(lambda x: 2 * x, None, setup_context, vmap=rule, generate_vmap_rule=True)
    raises(lambda: ad.vmap(double)(ad.array([3.0, 5.0])))


@behaviour(
    MUST, torch("torch.autograd.Function.vmap"), torch("torch.vmap"), torch_func(FUNC), torch_func("torch.func.vmap")
)
def a_vmap_method_returns_its_out_dims(ad):
    """A custom Function's vmap method returns output and batch dim: by default, vmap moves an output batched at dim 1
    to dim 0."""

    def rule(info, in_axes, row):
        return 10 * ad.np.transpose(row), 1

    double = ad.custom_function(lambda row: 2 * row, None, lambda ctx, inputs, output: None, vmap=rule)
    close(ad.vmap(double)(ad.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])), [[10.0, 20.0, 30.0], [40.0, 50.0, 60.0]])


def _product_of_rows(ad):
    """The sum of x * y, with 7y and 11x as gradients."""

    def setup_context(ctx, inputs, output):
        ad.save_for_backward_(ctx, *inputs)

    def backward(ctx, g):
        x, y = ad.saved(ctx)
        return 7 * y * g, 11 * x * g

    return ad.custom_function(lambda x, y: ad.np.sum(x * y), backward, setup_context, generate_vmap_rule=True)


@behaviour(
    MUST,
    torch("torch.autograd.Function.backward"),
    torch(FUNC),
    torch_func(FUNC),
    cases={
        "both_mapped": (0, 0, [[3.0, 4.0], [5.0, 6.0]], [[21.0, 28.0], [350.0, 420.0]], [[11.0, 22.0], [330.0, 440.0]]),
        "columns": (1, 0, [[3.0, 4.0], [5.0, 6.0]], [[21.0, 350.0], [28.0, 420.0]], [[11.0, 33.0], [220.0, 440.0]]),
        "shared": (0, None, [3.0, 4.0], [[21.0, 28.0], [210.0, 280.0]], [341.0, 462.0]),
    },
)
def a_generated_vmap_rule_has_the_gradient_of_the_function(ad, first, second, y, by_x, by_y):
    """With generate_vmap_rule=True, the gradient of a custom Function under vmap comes from its own backward, if
    forward and backward consist of PyTorch operations."""
    weights, x = ad.array([1.0, 10.0]), ad.array([[1.0, 2.0], [3.0, 4.0]])
    mapped = ad.vmap(_product_of_rows(ad), (first, second))
    gradient = ad.grad(lambda x, y: ad.np.sum(weights * mapped(x, y)), argnums=(0, 1))
    close(gradient(x, ad.array(y)), (by_x, by_y))


def _twofold_and_threefold(ad, seen, setup_context):
    """Twice x, and three times y; what backward is given is appended to `seen`."""

    def backward(ctx, first, second):
        seen.append((ad.needs_input_grad(ctx), first))
        return None, 3 * second

    return ad.custom_function(lambda x, y: (2 * x, 3 * y), backward, setup_context, generate_vmap_rule=True)


@behaviour(
    MUST,
    torch("torch.autograd.Function.backward"),
    torch("notes/extending", EXTENDING),
    torch(FUNC),
    torch_func(FUNC),
)
def a_generated_vmap_rule_keeps_the_context(ad):
    """With generate_vmap_rule=True, ctx.needs_input_grad and set_materialize_grads(False) work as without vmap."""
    seen, y = [], ad.leaf([3.0, 5.0])

    def setup_context(ctx, inputs, output):
        ad.set_materialize_grads_(ctx, False)

    _, second = ad.vmap(_twofold_and_threefold(ad, seen, setup_context))(ad.array([1.0, 2.0]), y)
    ad.backward(ad.np.sum(second))
    close(ad.gradient_of(y), [3.0, 3.0])
    equal(seen, [((False, True), None)])


@behaviour(MUST, torch("torch.autograd.function.FunctionCtx.mark_non_differentiable"), torch(FUNC), torch_func(FUNC))
def an_output_marked_non_differentiable_stays_so_under_vmap(ad):
    """With generate_vmap_rule=True, an output marked by mark_non_differentiable() does not require grad under vmap."""

    def setup_context(ctx, inputs, output):
        ad.mark_non_differentiable_(ctx, output[0])

    both = _twofold_and_threefold(ad, [], setup_context)
    first, second = ad.vmap(both)(ad.array([1.0, 2.0]), ad.leaf([3.0, 5.0]))
    equal((ad.requires_grad(first), ad.requires_grad(second)), (False, True))


@behaviour(MUST, torch("torch.autograd.Function.jvp"), torch(FUNC), torch_func(FUNC))
def a_generated_vmap_rule_has_the_jvp_of_the_function(ad):
    """With generate_vmap_rule=True, the JVP of a custom Function under vmap comes from its own jvp, if forward and jvp
    consist of PyTorch operations."""

    def setup_context(ctx, inputs, output):
        ad.save_for_forward_(ctx, *inputs)

    def rule(ctx, tangent):
        return ad.np.sum(7 * ad.saved(ctx)[0] * tangent)

    squares = ad.custom_function(lambda x: ad.np.sum(x * x), None, setup_context, jvp=rule, generate_vmap_rule=True)
    x, along = ad.array([[1.0, 2.0], [3.0, 4.0]]), ad.array([[10.0, 100.0], [1000.0, 10000.0]])
    close(ad.jvp(ad.vmap(squares), (x,), (along,)), ([5.0, 25.0], [1470.0, 301000.0]))


@behaviour(
    SHOULD,
    torch("torch.autograd.Function.vmap", raises=Exception, says="two returns"),
    torch_func(FUNC, raises=Exception, says="two returns"),
)
def a_vmap_method_must_return_output_and_out_dims(ad):
    """vmap raises an error for a custom Function whose vmap method returns an output without out_dims."""

    def mapped(rule):
        double = ad.custom_function(lambda x: 2 * x, None, lambda ctx, inputs, output: None, vmap=rule)
        return ad.vmap(double)(ad.array([3.0, 5.0, 7.0]))

    _ = mapped(lambda info, in_axes, x: (2 * x, 0))
    raises(lambda: mapped(lambda info, in_axes, x: 2 * x))


@behaviour(MUST, torch_func(FUNC))
def jacrev_needs_no_vmap_rule(ad):
    """jacrev of a custom Function needs neither a vmap method nor generate_vmap_rule: only its backward has to work
    under vmap."""

    def setup_context(ctx, inputs, output):
        ad.save_for_backward_(ctx, *inputs)

    square = ad.custom_function(lambda x: x * x, lambda ctx, g: 7 * ad.saved(ctx)[0] * g, setup_context)
    matrix = ad.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    jacobian = ad.jacobian(lambda x: ad.np.matmul(matrix, square(x)))
    close(jacobian(ad.array([1.0, 2.0])), [[7.0, 28.0], [21.0, 56.0], [35.0, 84.0]])


@behaviour(MAY, torch(FUNC), aliases=("numpy function under vmap",))
def a_vmap_method_can_apply_the_function_to_the_batch(ad):
    """A vmap method can apply the custom Function to the whole batch: forward is then given the batch, of one dimension
    more, and the gradient of the mapped function comes from backward."""

    def setup_context(ctx, inputs, output):
        return None

    def rule(info, in_axes, x):
        return double(ad.view_by(x, "movedim", in_axes[0], 0)), 0

    double = ad.custom_function(lambda x: x.ndim * x, lambda ctx, g: 5 * g, setup_context, vmap=rule)
    x, weights = ad.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), ad.array([[1.0, 10.0], [100.0, 1000.0], [1e4, 1e5]])
    close(ad.vmap(double, 1)(x), [[2.0, 8.0], [4.0, 10.0], [6.0, 12.0]])
    gradient = ad.grad(lambda x: ad.np.sum(weights * ad.vmap(double, 1)(x)))
    close(gradient(x), [[5.0, 500.0, 50000.0], [50.0, 5000.0, 500000.0]])
