"""Options together, rules: several arguments and outputs of checkpoints and custom functions."""

from conformance.behaviour import MAY, MUST, behaviour, jax, torch, torch_func
from conformance.expect import close, raises

EXTENDING = "Extending torch.autograd"


@behaviour(
    MUST,
    torch("checkpoint", "torch.utils.checkpoint.checkpoint"),
    cases={"reentrant": (True,), "non_reentrant": (False,)},
)
def a_checkpoint_has_several_arguments_and_outputs(ad, use_reentrant):
    """A checkpointed function gives each of two outputs, and backward() through both gives each of two arguments its
    gradient."""
    x, y = ad.leaf(2.0), ad.leaf(3.0)
    first, second = ad.checkpoint(lambda x, y: (x * y**2, x**3), use_reentrant)(x, y)
    close((first, second), (18.0, 8.0))
    ad.backward(first + 5 * second)
    close((ad.gradient_of(x), ad.gradient_of(y)), (69.0, 12.0))


@behaviour(MUST, torch("torch.autograd.Function.backward"), torch("notes/extending", EXTENDING))
def a_once_differentiable_rule_gives_each_gradient(ad):
    """A backward that is decorated with once_differentiable is given the gradient of the output, and what it returns
    are the gradients of the corresponding inputs, here g and 5g."""
    backward = ad.once_differentiable(lambda ctx, gradient: (gradient, 5 * gradient))
    product = ad.custom_function(lambda ctx, x, y: x * y, backward)
    x, y = ad.leaf(2.0), ad.leaf(3.0)
    ad.backward(product(x, y), ad.array(7.0))
    close((ad.gradient_of(x), ad.gradient_of(y)), (7.0, 35.0))


@behaviour(
    MUST,
    torch("torch.autograd.Function.forward"),
    torch("notes/extending", EXTENDING),
    torch("torch.autograd.Function.backward"),
    torch("torch.Tensor.grad_dtype", since="2.10"),
)
def a_custom_function_keeps_the_dtype_of_each(ad):
    """A custom function gives what its forward returns, here a float32 and a float64 output, and the gradient of each
    leaf has by default the dtype of the leaf, also if backward returns another dtype."""
    apply = ad.custom_function(lambda ctx, x, y: (2 * x, 3 * y), lambda ctx, g, h: (2 * h, 3 * g))
    x, y = ad.leaf(5.0, "float32"), ad.leaf(7.0)
    single, double = apply(x, y)
    close(single, 10.0, dtype="float32")
    close(double, 21.0, dtype="float64")
    ad.backward_of([single, double], [ad.array(5.0, "float32"), ad.array(11.0)])
    close(ad.gradient_of(x), 22.0, dtype="float32")
    close(ad.gradient_of(y), 15.0, dtype="float64")


def _marking(ad, forward):
    return ad.custom_function(forward, lambda ctx, *gradients: tuple(2 * g for g in gradients[:2]))


@behaviour(
    MUST,
    torch("notes/autograd", "In-place correctness checks", raises=Exception, says="modified by an inplace operation"),
    torch("torch.autograd.function.FunctionCtx.mark_dirty"),
    cases={"first": (lambda x, y: x * x,), "second": (lambda x, y: y * y,)},
)
def several_arguments_are_marked_dirty(ad, earlier):
    """mark_dirty() of two inputs marks both as modified in-place: backward() raises an error if an earlier operation
    had saved one of them."""

    def forward(ctx, x, y):
        ad.mark_dirty_(ctx, x, y)  # without an in-place operation, which would count by itself
        return x, y

    x, y = ad.leaf(5.0) * 1, ad.leaf(7.0) * 1
    output = earlier(x, y)
    _marking(ad, forward)(x, y)
    raises(lambda: ad.backward(output))


@behaviour(MAY, torch("autograd", "torch.autograd.function.FunctionCtx.save_for_forward"))
def saved_tensors_come_to_jvp_in_their_order(ad):
    """The tensors that save_for_forward() saves are accessed in jvp through saved_tensors, in the same order."""

    def jvp(ctx, s, t):
        x, y = ad.saved(ctx)
        return s * y + 10 * t * x

    def setup(ctx, inputs, output):
        return ad.save_for_forward_(ctx, *inputs)

    product = ad.custom_function(lambda x, y: x * y, None, setup, jvp)
    primals, tangents = (ad.array(2.0), ad.array(3.0)), (ad.array(1.0), ad.array(1.0))
    close(ad.jvp(product, primals, tangents), (6.0, 23.0))


@behaviour(MAY, torch("torch.autograd.function.FunctionCtx.save_for_backward"), torch("notes/extending", EXTENDING))
def none_is_saved_beside_tensors(ad):
    """An argument of save_for_backward() can be None, which is then None among the saved tensors in backward."""
    seen = []

    def forward(ctx, x):
        ad.save_for_backward_(ctx, None, x)
        return 3 * x

    apply = ad.custom_function(forward, lambda ctx, g: seen.append(ad.saved(ctx)) or 3 * g)
    ad.backward(apply(ad.leaf(2.0)))
    close(seen[0], (None, 2.0))


@behaviour(MUST, torch("torch.autograd.function.FunctionCtx.set_materialize_grads"))
def gradients_are_materialized_where_that_is_asked_for(ad):
    """After set_materialize_grads(True), also if set_materialize_grads(False) was called before, the gradient of an
    unused output is zero in backward of a custom function."""
    seen = []

    def forward(ctx, x):
        ad.set_materialize_grads_(ctx, False)  # as True is the default
        ad.set_materialize_grads_(ctx, True)
        return 2 * x, 3 * x

    used, _ = ad.custom_function(forward, lambda ctx, g, h: seen.append((g, h)) or 2 * g)(ad.leaf(5.0))
    ad.backward(used)
    close(seen[0], (1.0, 0.0))


def _of_itself(operation, x):
    return operation(x, x)


@behaviour(
    MUST,
    torch("torch.autograd.grad"),
    torch_func("torch.func.grad"),
    jax("jax.grad"),
    cases={
        "divide": (lambda ad, x: ad.np.divide(x, x), [[0.0, 0.0], [0.0, 0.0]]),
        "dot": (lambda ad, x: _of_itself(ad.np.dot, x[0]), [[2.0, 4.0], [0.0, 0.0]]),
        "outer": (lambda ad, x: _of_itself(ad.np.outer, x[0]), [[6.0, 6.0], [0.0, 0.0]]),
        "matmul": (lambda ad, x: ad.np.matmul(x, x), [[7.0, 12.0], [10.0, 15.0]]),
    },
)
def both_operands_of_an_operation_have_their_part(ad, operation, expected):
    """The gradient of an array that is both operands of a division, dot, outer or matrix product is the sum of the
    gradients with respect to each operand."""
    x = ad.array([[1.0, 2.0], [3.0, 5.0]])
    close(ad.grad(lambda x: ad.np.sum(operation(ad, x)))(x), expected)


def _line(ad, module, x):
    return ad.attribute_of(module, "one") * x + ad.attribute_of(module, "other")


@behaviour(MUST, torch("torch.func.functional_call"), torch_func("torch.func.functional_call"))
def untied_parameters_are_replaced_under_strict(ad):
    """functional_call with `strict` and `tie_weights=False` replaces the two names of a tied parameter by the two
    values provided, in each of two calls."""
    p = ad.parameter(ad.array(1.0))
    tied, x = ad.module(lambda self, x: _line(ad, self, x), one=p, other=p), ad.array(2.0)
    first, second = {"one": ad.array(5.0), "other": ad.array(7.0)}, {"one": ad.array(3.0), "other": ad.array(13.0)}
    close(ad.functional_call(tied, first, x, strict=True, tie_weights=False), 17.0)
    close(ad.functional_call(tied, second, x, strict=True, tie_weights=False), 19.0)


def _fives(ad, names):
    return {name: ad.array(5.0) for name in names}


@behaviour(
    MUST,
    torch("torch.func.functional_call", raises=Exception, says="key(s)"),
    torch_func("torch.func.functional_call", raises=Exception, says="key(s)"),
    cases={"missing": (["one"],), "unexpected": (["one", "other", "third"],)},
)
def strict_checks_the_names_of_untied_parameters(ad, names):
    """functional_call with `strict` and `tie_weights=False` raises an error for a missing or an unexpected
    parameter name."""
    p = ad.parameter(ad.array(1.0))
    tied = ad.module(lambda self, x: _line(ad, self, x), one=p, other=p)
    raises(lambda: ad.functional_call(tied, _fives(ad, names), ad.array(2.0), strict=True, tie_weights=False))
