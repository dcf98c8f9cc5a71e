"""Mapping: vmap of derivatives and derivatives of vmap, such as per-example gradients."""

from conformance.behaviour import MUST, SHOULD, behaviour, jax, torch_func
from conformance.expect import close, raises

EXAMPLES = "Per-example gradients"
COMPOSED = "Auto-vectorization with jax.vmap"
PROBLEM = "The vmap-removes-custom-jvp semantics problem"


@behaviour(MUST, jax("higher-order", EXAMPLES), torch_func("torch.func.grad"), aliases=("per-sample gradients",))
def each_example_has_its_own_gradient(ad):
    """vmap of grad gives per-example gradients: for (wx)² at (w, x) = (3, 1) and (2, 5) they are 6 and 100."""
    gradients = ad.vmap(ad.grad(lambda w, x: (w * x) ** 2))
    close(gradients(ad.array([3.0, 2.0]), ad.array([1.0, 5.0])), [6.0, 100.0])


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
)
def vmap_of_jvp_gives_columns_of_the_jacobian(ad):
    """vmap of jvp over tangents: the rows of the identity matrix give the columns of the Jacobian."""
    x = ad.array([1.0, 2.0])

    def push(tangent):
        return ad.jvp(lambda x: ad.np.stack([x[0] * x[1], x[0] * x[0]]), (x,), (tangent,))[1]

    close(ad.vmap(push)(ad.np.eye(2)), [[2.0, 2.0], [1.0, 0.0]])


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
