"""Options together: what each option of a function promises holds beside its other options, and for several arguments."""

from conformance.behaviour import MUST, SHOULD, behaviour, jax, torch, torch_func
from conformance.expect import close, equal, raises


def _by_method(ad, output, gradient, x, **flags):
    ad.backward(output, gradient, inputs=[x], **flags)


def _by_function(ad, output, gradient, x, **flags):
    ad.backward_of([output, 3 * x], [gradient, gradient], inputs=[x], **flags)


@behaviour(
    MUST,
    torch("torch.Tensor.backward"),
    torch("torch.autograd.backward"),
    cases={"method": (_by_method, [18.0, 60.0]), "function": (_by_function, [24.0, 63.0])},
)
def backward_creates_a_graph_for_chosen_inputs_and_a_gradient(ad, backward, expected):
    """backward() with `gradient`, `create_graph` and `inputs` fills the gradient of the chosen leaf, with a graph: of x³y
    at ((1, 2), (3, 5)) for (2, 1)."""
    x, y = ad.leaf([1.0, 2.0]), ad.leaf([3.0, 5.0])
    backward(ad, x**3 * y, ad.array([2.0, 1.0]), x, retain_graph=True, create_graph=True)
    close((ad.gradient_of(x), ad.gradient_of(y)), (expected, None))
    close(ad.grad_of(ad.np.sum(ad.gradient_of(x)), [y]), ([6.0, 12.0],))


@behaviour(
    MUST,
    torch("torch.Tensor.backward"),
    torch("torch.autograd.backward"),
    cases={"method": (_by_method, [36.0, 120.0]), "function": (_by_function, [48.0, 126.0])},
)
def backward_runs_again_for_chosen_inputs_and_a_gradient(ad, backward, expected):
    """backward() with `gradient`, `retain_graph` and `inputs` can be called again, and adds to the gradient of the chosen
    leaf."""
    x, y = ad.leaf([1.0, 2.0]), ad.leaf([3.0, 5.0])
    output, gradient = x**3 * y, ad.array([2.0, 1.0])
    backward(ad, output, gradient, x, retain_graph=True)
    backward(ad, output, gradient, x)
    close((ad.gradient_of(x), ad.gradient_of(y)), (expected, None))


@behaviour(
    MUST,
    torch("torch.Tensor.backward"),
    torch("torch.autograd.backward"),
    cases={
        "method": (lambda ad, output, inputs: ad.backward(output, inputs=inputs),),
        "function": (lambda ad, output, inputs: ad.backward_of(output, inputs=inputs),),
    },
)
def backward_fills_each_of_several_inputs(ad, backward):
    """backward() with two leaves as `inputs` fills both, and adds to what they hold; a third leaf is left alone."""
    x, y, z = ad.leaf(2.0), ad.leaf(3.0), ad.leaf(5.0)
    ad.set_gradient_(x, ad.array(100.0))
    backward(ad, x * y * z, [x, y])
    close((ad.gradient_of(x), ad.gradient_of(y), ad.gradient_of(z)), (115.0, 10.0, None))


@behaviour(
    MUST,
    torch("torch.autograd.backward"),
    cases={
        "retain_graph": ({"retain_graph": True}, ([18.0, 60.0], [32.0, 38.0])),
        "create_graph": ({"create_graph": True}, ([18.0, 60.0], [32.0, 38.0])),
    },
)
def each_of_several_outputs_has_its_gradient_beside_a_flag(ad, flags, expected):
    """Each of several outputs counts with its own gradient, whether the graph is retained or created: x³y with (2, 1), and
    y² with (5, 3)."""
    x, y = ad.leaf([1.0, 2.0]), ad.leaf([3.0, 5.0])
    ad.backward_of([x**3 * y, y**2], [ad.array([2.0, 1.0]), ad.array([5.0, 3.0])], **flags)
    close((ad.gradient_of(x), ad.gradient_of(y)), expected)


@behaviour(MUST, torch("torch.autograd.grad"))
def grad_materializes_beside_its_other_options(ad):
    """autograd.grad() with `materialize_grads`, a gradient, `retain_graph` and `create_graph` gives zeros for the unused
    input, a gradient with a graph for the other, and can be called again."""
    x, y, z = ad.leaf([1.0, 2.0]), ad.leaf([3.0, 5.0]), ad.leaf(7.0)
    outputs, gradients = [x**3 * y, 5 * y], [ad.array([2.0, 1.0]), ad.array([1.0, 4.0])]
    first, nothing = ad.grad_of(outputs, [x, z], gradients, True, True, materialize_grads=True)
    close((first, nothing), ([18.0, 60.0], 0.0))
    close(ad.grad_of(ad.np.sum(first), [y], retain_graph=True), ([6.0, 12.0],))
    close(ad.grad_of(outputs, [y, z], gradients, materialize_grads=True), ([7.0, 28.0], 0.0))


@behaviour(MUST, torch("torch.autograd.grad"))
def grad_takes_batches_beside_its_other_options(ad):
    """autograd.grad() with `is_grads_batched`, `retain_graph` and `create_graph` gives a row for each gradient, with a
    graph, and can be called again."""
    x, rows = ad.leaf([1.0, 2.0]), ad.array([[2.0, 1.0], [1.0, 4.0]])
    output = x**3
    found = ad.grad_of(output, [x], rows, True, True, is_grads_batched=True)
    close(found, ([[6.0, 12.0], [3.0, 48.0]],))
    close(ad.grad_of(ad.np.sum(found[0]), [x], retain_graph=True), ([18.0, 60.0],))
    close(ad.grad_of(output, [x], rows, is_grads_batched=True), ([[6.0, 12.0], [3.0, 48.0]],))


def _cubic(x, y):
    return x**3 * y**2


def _vjp(ad, program, inputs, v, **options):
    return ad.functional.vjp(program, inputs, v[0], **options)[1]


def _jvp(ad, program, inputs, v, **options):
    return (ad.functional.jvp(program, inputs, v, **options)[1],)


def _jacobian(ad, program, inputs, v, **options):
    return ad.functional.jacobian(program, inputs, **options)


def _hessian(ad, program, inputs, v, **options):
    return ad.functional.hessian(program, inputs, **options)[0]


def _vhp(ad, program, inputs, v, **options):
    return ad.functional.vhp(program, inputs, v, **options)[1]


def _hvp(ad, program, inputs, v, **options):
    return ad.functional.hvp(program, inputs, v, **options)[1]


PAGE = "torch.autograd.functional."
GRAPH = {"create_graph": True}
FUNCTIONAL = tuple(torch(PAGE + name) for name in ("vjp", "jvp", "jacobian", "hessian", "vhp", "hvp"))


@behaviour(
    MUST,
    *FUNCTIONAL,
    cases={
        "vjp": (_vjp, (54.0, 12.0), (108.0, 36.0)),
        "jvp": (_jvp, (84.0,), (198.0,)),
        "jacobian": (_jacobian, (27.0, 6.0), (54.0, 18.0)),
        "hessian": (_hessian, (54.0, 18.0), (54.0, 36.0)),
        "vhp": (_vhp, (198.0, 46.0), (288.0, 102.0)),
        "hvp": (_hvp, (198.0, 46.0), (288.0, 102.0)),
    },
)
def functional_results_have_a_graph_beside_strict(ad, derivative, expected, second):
    """With `create_graph` and `strict`, a function of the functional interface gives results of which the derivative can be
    taken: of x³y² at (1, 3), for (2, 5), and the derivative by x of each result."""
    x, y = ad.leaf(1.0), ad.leaf(3.0)
    found = derivative(ad, _cubic, (x, y), (ad.array(2.0), ad.array(5.0)), create_graph=True, strict=True)
    close(found, expected)
    slopes = tuple(ad.grad_of(result, [x], retain_graph=True)[0] for result in found)
    close(slopes, second)


@behaviour(
    MUST,
    *FUNCTIONAL,
    cases={
        "vjp": (_vjp, (54.0, 12.0)),
        "jvp": (_jvp, (84.0,)),
        "jacobian": (_jacobian, (27.0, 6.0)),
        "hessian": (_hessian, (54.0, 18.0)),
        "vhp": (_vhp, (198.0, 46.0)),
        "hvp": (_hvp, (198.0, 46.0)),
    },
)
def functional_results_are_in_single_precision(ad, derivative, expected):
    """A function of the functional interface gives the derivative of float32 inputs, too, as float32."""
    inputs = ad.array(1.0, "float32"), ad.array(3.0, "float32")
    found = derivative(ad, _cubic, inputs, (ad.array(2.0, "float32"), ad.array(5.0, "float32")))
    close(found, expected, dtype="float32")


def _two_outputs(x, y):
    return x**3 * y, y**2


@behaviour(
    MUST,
    torch(PAGE + "vjp"),
    torch(PAGE + "jvp"),
    cases={
        "vjp": (lambda ad, *given, **flags: ad.functional.vjp(*given, **flags), {}, (18.0, 32.0)),
        "vjp_create_graph": (lambda ad, *given, **flags: ad.functional.vjp(*given, **flags), GRAPH, (18.0, 32.0)),
        "vjp_strict": (lambda ad, *given, **flags: ad.functional.vjp(*given, **flags), {"strict": True}, (18.0, 32.0)),
        "jvp": (lambda ad, *given, **flags: ad.functional.jvp(*given, **flags), {}, (23.0, 30.0)),
        "jvp_create_graph": (lambda ad, *given, **flags: ad.functional.jvp(*given, **flags), GRAPH, (23.0, 30.0)),
        "jvp_strict": (lambda ad, *given, **flags: ad.functional.jvp(*given, **flags), {"strict": True}, (23.0, 30.0)),
    },
)
def functional_products_have_several_outputs(ad, product, flags, expected):
    """vjp and jvp of the functional interface give both outputs of (x³y, y²) at (1, 3), and the product with both parts of
    the vector (2, 5), with each of their options."""
    inputs, v = (ad.leaf(1.0), ad.leaf(3.0)), (ad.array(2.0), ad.array(5.0))
    close(product(ad, _two_outputs, inputs, v, **flags), ((3.0, 9.0), expected))


@behaviour(
    MUST,
    torch(PAGE + "jacobian"),
    torch(PAGE + "hessian"),
    cases={
        "jacobian": (_jacobian, (27.0, 6.0), (54.0, 18.0)),
        "hessian": (_hessian, (54.0, 18.0), (54.0, 36.0)),
    },
)
def a_vectorized_result_has_a_graph(ad, derivative, expected, second):
    """With `create_graph` and `vectorize`, a Jacobian or Hessian of the functional interface can be differentiated."""
    x, y = ad.leaf(1.0), ad.leaf(3.0)
    found = derivative(ad, _cubic, (x, y), None, create_graph=True, vectorize=True)
    close(found, expected)
    close(tuple(ad.grad_of(result, [x], retain_graph=True)[0] for result in found), second)


def _scaled(ad, x):
    return x * ad.array([10.0, 100.0]), ad.np.sum(x)


@behaviour(
    MUST,
    torch_func("torch.func.vmap"),
    cases={
        "chunk_size": (lambda ad, f: ad.vmap(f, 1, (1, 0), chunk_size=2),),
        "randomness": (lambda ad, f: ad.vmap(f, 1, (1, 0), "different"),),
        "both": (lambda ad, f: ad.vmap(f, 1, (1, 0), "different", 2),),
    },
)
def vmap_takes_and_places_axes_beside_its_other_options(ad, mapped):
    """With `chunk_size` or `randomness`, vmap takes examples along `in_dims`, and places each output along its own of
    `out_dims`."""
    outputs = mapped(ad, lambda x: _scaled(ad, x))(ad.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]))
    close(outputs, ([[10.0, 20.0, 30.0], [400.0, 500.0, 600.0]], [5.0, 7.0, 9.0]))


@behaviour(MUST, torch_func("torch.func.vmap"), jax("jax.vmap"))
def vmap_takes_and_places_axes_of_each(ad):
    """vmap takes each argument along its own axis, and places each output along its own."""
    x, y = ad.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), ad.array([[1.0, 10.0], [2.0, 20.0], [3.0, 30.0]])
    mapped = ad.vmap(lambda x, y: (x * y, x - y), in_axes=(1, 0), out_axes=(1, 0))
    close(mapped(x, y), ([[1.0, 4.0, 9.0], [40.0, 100.0, 180.0]], [[0.0, -6.0], [0.0, -15.0], [0.0, -24.0]]))


@behaviour(MUST, torch_func("torch.func.vmap"), jax("jax.vmap"))
def vmap_keeps_single_precision(ad):
    """vmap gives what each example gives: of float32 examples float32 outputs, and beside a float64 argument float64."""
    x, y = ad.array([1.0, 2.0], "float32"), ad.array([3.0, 5.0])
    single, double = ad.vmap(lambda x, y: (3 * x, 2 * y))(x, y)
    close(single, [3.0, 6.0], dtype="float32")
    close(double, [6.0, 10.0])


@behaviour(MUST, torch_func("torch.func.vmap"))
def random_draws_differ_in_chunks(ad):
    """With `randomness="different"`, draws under vmap differ between examples, of one chunk, too."""
    draws = ad.vmap(lambda x: x + ad.draw((1,)), 0, 0, "different", 2)(ad.array([0.0, 0.0, 0.0, 0.0]))
    equal([bool(draws[0] == draws[1]), bool(draws[1] == draws[2])], [False, False])


@behaviour(
    SHOULD,
    torch_func("torch.func.jvp", raises=Exception, says="independent"),
    cases={"plain": (lambda x: x / x * 0 + 1,), "unused": (lambda x: 1.0 * x,)},
)
def strict_jvp_with_auxiliary_output_raises_for_a_constant(ad, other):
    """jvp with `strict` and `has_aux` raises an error for an output that does not depend on the input."""
    raises(lambda: ad.jvp(lambda x: (ad.array(2.0), other(x)), (ad.array(3.0),), (ad.array(1.0),), True, True))


@behaviour(MUST, torch_func("torch.func.jvp"))
def strict_jvp_gives_each_output_and_tangent(ad):
    """jvp with `strict` and `has_aux` of (x³y, y²) and the auxiliary 7x at (1, 3) for (2, 5) gives the outputs (3, 9), the
    tangents (23, 30) and 7."""
    primals, tangents = (ad.array(1.0), ad.array(3.0)), (ad.array(2.0), ad.array(5.0))
    found = ad.jvp(lambda x, y: ((x**3 * y, y**2 + 0 * x), 7 * x), primals, tangents, has_aux=True, strict=True)
    close(found, ((3.0, 9.0), (23.0, 30.0), 7.0))


@behaviour(
    MUST,
    torch("checkpoint", "torch.utils.checkpoint.checkpoint"),
    cases={"reentrant": (True,), "non_reentrant": (False,)},
)
def a_checkpoint_has_several_arguments_and_outputs(ad, use_reentrant):
    """A checkpointed function takes several arguments and gives several outputs, each with its gradient: of (xy², x³) at
    (2, 3), the sum of the first and five times the second."""
    x, y = ad.leaf(2.0), ad.leaf(3.0)
    first, second = ad.checkpoint(lambda x, y: (x * y**2, x**3), use_reentrant)(x, y)
    close((first, second), (18.0, 8.0))
    ad.backward(first + 5 * second)
    close((ad.gradient_of(x), ad.gradient_of(y)), (69.0, 12.0))


@behaviour(MUST, torch("torch.autograd.Function.backward"))
def a_once_differentiable_rule_gives_each_gradient(ad):
    """A backward that is decorated with once_differentiable is given the gradient of the output, and its results are the
    gradients of the inputs: g and 5g for xy."""
    backward = ad.once_differentiable(lambda ctx, gradient: (gradient, 5 * gradient))
    product = ad.custom_function(lambda ctx, x, y: x * y, backward)
    x, y = ad.leaf(2.0), ad.leaf(3.0)
    ad.backward(product(x, y), ad.array(7.0))
    close((ad.gradient_of(x), ad.gradient_of(y)), (7.0, 35.0))


@behaviour(MUST, torch("torch.autograd.Function.forward"), torch("torch.autograd.Function.backward"))
def a_custom_function_keeps_the_dtype_of_each(ad):
    """A custom function gives what its forward gives, here a float32 and a float64 output, and leaves get gradients in their
    own dtypes."""
    apply = ad.custom_function(lambda ctx, x, y: (2 * x, 3 * y), lambda ctx, g, h: (2 * g, 3 * h))
    x, y = ad.leaf(5.0, "float32"), ad.leaf(7.0)
    single, double = apply(x, y)
    close(single, 10.0, dtype="float32")
    close(double, 21.0)
    ad.backward_of([single, double])
    close(ad.gradient_of(x), 2.0, dtype="float32")
    close(ad.gradient_of(y), 3.0)


def _marking(ad, forward):
    return ad.custom_function(forward, lambda ctx, *gradients: tuple(2 * g for g in gradients[:2]))


@behaviour(MUST, torch("torch.autograd.function.FunctionCtx.mark_dirty"))
def several_arguments_are_marked_dirty(ad):
    """mark_dirty() of two inputs marks both: the outputs are the inputs."""

    def forward(ctx, x, y):
        ad.mark_dirty_(ctx, x, y)
        return ad.mul_(x, 2), ad.mul_(y, 3)

    x, y = ad.leaf(5.0) * 1, ad.leaf(7.0) * 1
    first, second = _marking(ad, forward)(x, y)
    equal((first is x, second is y), (True, True))


@behaviour(MUST, torch("torch.autograd.function.FunctionCtx.mark_non_differentiable"))
def several_outputs_are_marked_as_not_differentiable(ad):
    """mark_non_differentiable() of two outputs marks both, and not a third."""

    def forward(ctx, x, y):
        outputs = 2 * x, 3 * y, x * y
        ad.mark_non_differentiable_(ctx, outputs[0], outputs[2])
        return outputs

    outputs = _marking(ad, forward)(ad.leaf(5.0), ad.leaf(7.0))
    equal(tuple(ad.requires_grad(output) for output in outputs), (False, True, False))
