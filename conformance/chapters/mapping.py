"""Mapping: vmap of derivatives and derivatives of vmap, such as per-example gradients."""

from conformance.behaviour import MAY, MUST, SHOULD, behaviour, jax, torch_func
from conformance.expect import close, equal, raises

EXAMPLES = "Per-example gradients"
COMPOSED = "Auto-vectorization with jax.vmap"
CUSTOM = "jax.custom_batching.custom_vmap"
PROBLEM = "The vmap-removes-custom-jvp semantics problem"


@behaviour(
    MUST,
    jax("higher-order", EXAMPLES),
    torch_func("torch.func.grad"),
    cases={"one_argument": (0, [6.0, 100.0]), "both": ((1, 0), ([18.0, 40.0], [6.0, 100.0]))},
    aliases=("per-sample gradients",),
)
def each_example_has_its_own_gradient(ad, argnums, expected):
    """vmap of grad gives per-example gradients: for (wx)² at (w, x) = (3, 1) and (2, 5) they are 6 and 100 for w, 18
    and 40 for x."""
    gradients = ad.vmap(ad.grad(lambda w, x: (w * x) ** 2, argnums=argnums))
    close(gradients(ad.array([3.0, 2.0]), ad.array([1.0, 5.0])), expected)


@behaviour(
    MUST,
    jax("thinking_in_jax", COMPOSED),
    torch_func("func.whirlwind_tour"),
    aliases=("grad of vmap",),
)
def grad_of_vmap(ad):
    """grad of vmap sums over the batch for an argument that is not mapped: (wx)², mapped over x = 1, 5 and summed, has
    the gradient 156 at w = 3."""
    mapped = ad.vmap(lambda w, x: (w * x) ** 2, in_axes=(None, 0))
    gradient = ad.grad(lambda w: ad.np.sum(mapped(w, ad.array([1.0, 5.0]))))
    close(gradient(ad.array(3.0)), 156.0)


@behaviour(MUST, jax("higher-order", EXAMPLES), torch_func("torch.func.grad"))
def a_shared_argument_has_a_gradient_per_example(ad):
    """vmap of grad gives an argument that is not mapped one gradient per example."""
    gradients = ad.vmap(ad.grad(lambda w, x: ad.np.sum(w * w) * x), in_axes=(None, 0))
    expected = [[2.0, 4.0, 6.0], [10.0, 20.0, 30.0]]
    close(gradients(ad.array([1.0, 2.0, 3.0]), ad.array([1.0, 5.0])), expected)


@behaviour(
    MUST,
    jax("jacobian-vector-products", "Jacobian-Matrix and Matrix-Jacobian products"),
    torch_func("torch.func.vmap"),
    torch_func("torch.func.jvp"),
    cases={
        "jvp": (lambda ad, f, x: lambda tangent: ad.jvp(f, (x,), (tangent,))[1],),
        "linearized": (lambda ad, f, x: ad.linearize(f, x)[1],),
    },
)
def vmap_of_jvp_gives_columns_of_the_jacobian(ad, push):
    """vmap over the tangents of a JVP: the rows of the identity matrix give the columns of the Jacobian."""
    pushed = push(ad, lambda x: ad.np.stack([x[0] * x[1], x[0] * x[0]]), ad.array([1.0, 2.0]))
    close(ad.vmap(pushed)(ad.np.eye(2)), [[2.0, 2.0], [1.0, 0.0]])


@behaviour(
    MUST,
    jax("thinking_in_jax", COMPOSED),
    torch_func("torch.func.jacrev"),
    torch_func("torch.func.jacfwd"),
    cases={"reverse": (lambda ad, f: ad.jacobian(f),), "forward": (lambda ad, f: ad.jacfwd(f),)},
    aliases=("batched jacobian",),
)
def vmap_of_a_jacobian(ad, jacobian):
    """vmap of a Jacobian, by reverse mode or forward mode, gives the Jacobian at each point of a batch."""
    jacobians = ad.vmap(jacobian(ad, lambda x: ad.np.stack([x[0] * x[1], x[0] * x[0]])))
    expected = [[[2.0, 1.0], [2.0, 0.0]], [[4.0, 3.0], [6.0, 0.0]]]
    close(jacobians(ad.array([[1.0, 2.0], [3.0, 4.0]])), expected)


@behaviour(
    MUST,
    jax("thinking_in_jax", COMPOSED),
    torch_func("func.whirlwind_tour"),
    cases={
        "mapped_last": (lambda ad, f: ad.vmap(ad.grad(ad.grad(f))),),
        "summed_between": (lambda ad, f: ad.grad(lambda x: ad.np.sum(ad.vmap(ad.grad(f))(x))),),
    },
)
def vmap_and_grad_compose(ad, compose):
    """vmap and grad compose in any order: for x³ at 1 and 2, vmap(grad(grad(f))) and the gradient of the sum of
    vmap(grad(f)) are both (6, 12)."""
    close(compose(ad, lambda x: x**3)(ad.array([1.0, 2.0])), [6.0, 12.0])


@behaviour(
    MUST,
    jax("jep/2026", PROBLEM),
    cases={
        "mapped_gradient": (lambda ad, f: ad.vmap(ad.grad(f)),),
        "gradient_of_mapped": (lambda ad, f: ad.grad(lambda x: ad.np.sum(ad.vmap(f)(x))),),
    },
    aliases=("custom_jvp vmap",),
)
def a_custom_jvp_is_used_under_vmap(ad, compose):
    """A custom_jvp rule is used under vmap, both for vmap of grad and for grad of vmap."""
    square = ad.custom_jvp(lambda x: x * x, lambda primals, tangents: (primals[0] ** 2, 7 * primals[0] * tangents[0]))
    close(compose(ad, square)(ad.array([1.0, 5.0])), [7.0, 35.0])


@behaviour(
    MUST,
    jax("jep/2026", PROBLEM),
    torch_func("notes/extending.func", "Automatically generate a vmap rule"),
    cases={
        "mapped_gradient": (lambda ad, f: ad.vmap(ad.grad(f)),),
        "gradient_of_mapped": (lambda ad, f: ad.grad(lambda x: ad.np.sum(ad.vmap(f)(x))),),
    },
    aliases=("generate_vmap_rule",),
)
def a_custom_vjp_is_used_under_vmap(ad, compose):
    """A custom VJP rule is used under vmap (in PyTorch, with generate_vmap_rule=True), both for vmap of grad and for
    grad of vmap."""
    square = ad.custom_vjp(lambda x: (x * x, (x,)), lambda saved, g: (7 * saved[0] * g,))
    close(compose(ad, square)(ad.array([1.0, 5.0])), [7.0, 35.0])


@behaviour(
    SHOULD,
    jax("jax.grad", raises=Exception, says="scalar-output functions"),
    torch_func("torch.func.grad", raises=Exception, says="scalar Tensor"),
)
def a_non_scalar_example_raises_an_error(ad):
    """vmap of grad raises an error if the function of a single example has a non-scalar output."""
    gradients = ad.vmap(ad.grad(lambda x: 2 * x))
    raises(lambda: gradients(ad.array([[1.0, 2.0], [3.0, 4.0]])))


@behaviour(MUST, jax("jax.vmap"), torch_func("torch.func.vmap"), aliases=("per-sample gradients out_dims",))
def out_axes_place_the_examples_of_a_gradient(ad):
    """in_axes and out_axes (in_dims, out_dims) of vmap apply to a gradient function, too: here, each column is an
    example, and its gradient a column."""
    gradients = ad.vmap(ad.grad(lambda w, x: ad.np.sum(w * x * x), argnums=1), in_axes=(None, 1), out_axes=1)
    x = ad.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    close(gradients(ad.array([1.0, 10.0]), x), [[2.0, 4.0, 6.0], [80.0, 100.0, 120.0]])


def _a_product_under_vmap(ad):
    """The sum of two numbers; under vmap, by its rule, the product."""
    return ad.custom_vmap(lambda x, y: x + y, lambda size, batched, x, y: (x * y, any(batched)))


@behaviour(MUST, jax(CUSTOM), jax(CUSTOM + ".def_vmap"), aliases=("custom batching rule",))
def a_custom_vmap_rule_is_used_under_vmap_only(ad):
    """Without vmap, `custom_vmap` of a function has that function's value; under vmap, its rule is used."""
    program = ad.custom_vmap(lambda x, y: x - y, lambda size, batched, x, y: (x * y * y, any(batched)))
    close(program(ad.array(2.0), ad.array(5.0)), -3.0)
    close(ad.vmap(program)(ad.array([2.0, 3.0]), ad.array([5.0, 7.0])), [50.0, 147.0])


@behaviour(MUST, jax(CUSTOM + ".def_vmap"))
def a_custom_vmap_rule_is_told_what_is_batched(ad):
    """The rule of a `custom_vmap` function is given the batch size, and a flag for each argument: whether it is
    batched."""
    seen = []

    def rule(size, batched, x, y, z):
        seen.append((size, *batched))
        return x * y - z, True

    mapped = ad.vmap(ad.custom_vmap(lambda x, y, z: x, rule), in_axes=(0, None, 0))
    close(mapped(ad.array([2.0, 3.0]), ad.array(7.0), ad.array([1.0, 10.0])), [13.0, 11.0])
    equal(seen[-1], (2, True, False, True))


@behaviour(MUST, jax(CUSTOM + ".def_vmap"))
def a_custom_vmap_rule_says_which_outputs_are_batched(ad):
    """The rule of a `custom_vmap` function says for each output whether it is batched: one that is not is the same for
    all examples."""
    program = ad.custom_vmap(lambda x, y: (y, x, x), lambda size, batched, x, y: ((y, x, 5 * x), (False, True, True)))
    found = ad.vmap(program, in_axes=(0, None))(ad.array([2.0, 3.0]), ad.array(7.0))
    close(found, ([7.0, 7.0], [2.0, 3.0], [10.0, 15.0]))


@behaviour(
    MUST,
    jax(CUSTOM, raises=Exception, says="reverse-mode autodiff"),
    cases={
        "gradient": (lambda ad, f, x: ad.grad(f)(x, x),),
        "jacobian": (lambda ad, f, x: ad.jacobian(f)(x, x),),
        "pullback": (lambda ad, f, x: ad.vjp(f, x, x)[1](x),),
    },
)
def a_custom_vmap_function_has_no_reverse_mode(ad, differentiate):
    """Reverse-mode differentiation of a `custom_vmap` function raises an error."""
    raises(lambda: differentiate(ad, _a_product_under_vmap(ad), ad.array(3.0)))


@behaviour(MAY, jax(CUSTOM))
def a_custom_vmap_function_has_forward_mode(ad):
    """The JVP of a `custom_vmap` function is that of the function itself; under vmap, that of its rule."""
    program = _a_product_under_vmap(ad)
    x, y, v, w = ad.array([2.0, 3.0]), ad.array([5.0, 7.0]), ad.array([1.0, 10.0]), ad.array([100.0, 1000.0])
    close(ad.jvp(program, (x, y), (v, w))[1], [101.0, 1010.0])
    close(ad.vmap(lambda *given: ad.jvp(program, given[:2], given[2:])[1])(x, y, v, w), [205.0, 3070.0])


@behaviour(MUST, jax(CUSTOM))
def a_custom_vjp_around_a_custom_vmap_has_both_rules(ad):
    """A `custom_vjp` around a `custom_vmap` function has both rules: one under vmap, the other in reverse mode."""
    inner = ad.custom_vmap(lambda x: x * x, lambda size, batched, x: (5 * x, True))
    program = ad.custom_vjp(lambda x: (inner(x), (x,)), lambda saved, g: (7 * saved[0] * g,), primal=inner)
    close(ad.grad(program)(ad.array(3.0)), 21.0)
    close(ad.vmap(program)(ad.array([3.0, 2.0])), [15.0, 10.0])
    close(ad.vmap(ad.grad(program))(ad.array([3.0, 2.0])), [21.0, 14.0])


@behaviour(MUST, jax("jax.custom_batching.sequential_vmap"))
def a_sequential_vmap_function_is_called_for_each_example(ad):
    """Under vmap, a `sequential_vmap` function is called in a loop, with one example at a time."""
    seen = []

    def square(value):
        seen.append(value.shape)
        return value * value

    program = ad.sequential_vmap(lambda x: ad.pure_callback(square, x, x))
    close(ad.vmap(program)(ad.array([5.0, 2.0, 3.0])), [25.0, 4.0, 9.0])
    equal(set(seen), {()})
