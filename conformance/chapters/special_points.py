"""Special points: kinks, ties, zeros and ends of a domain in a batch, beside ordinary points."""

from conformance.behaviour import MUST, behaviour, jax, torch, torch_func
from conformance.expect import close

NAN = float("nan")
LIMITS = "vmap limitations"
COMPOSED = "Auto-vectorization with jax.vmap"
LOG_3 = 1.0986122886681098


def _weighted(ad, x):
    return ad.np.sum(ad.array([1.0, 10.0, 100.0]) * x)


def _pooled(ad, x):
    return ad.np.sum(ad.array([[1.0, 10.0]]) * ad.np.max_pool1d(ad.np.stack([x]), 2))


# A function of one example, a batch of examples, and the gradient at the last one, which is an ordinary point.
NUMBERS = {
    "absolute_value": (lambda ad, x: ad.np.abs(x), [0.0, 2.0, -3.0], -1.0),
    "absolute_value_of_nan": (lambda ad, x: ad.np.abs(x), [NAN, 0.0, -3.0], -1.0),
    "rectifier": (lambda ad, x: ad.np.relu(x), [0.0, -1.0, 2.0], 1.0),
    "leaky_rectifier": (lambda ad, x: ad.np.leaky_relu(x), [0.0, -3.0, 2.0], 1.0),
    "saturation": (lambda ad, x: ad.np.hardtanh(x), [1.0, -1.0, 0.5], 1.0),
    "shrinkage": (lambda ad, x: ad.np.softshrink(x), [0.5, -0.5, 2.0], 1.0),
    "clip": (lambda ad, x: ad.np.clip(x, 0.0, 1.0), [-2.0, 0.0, 0.5], 1.0),
    "step": (lambda ad, x: ad.np.floor(x) * x, [1.0, 0.0, 2.5], 2.0),
    "square_root": (lambda ad, x: ad.np.sqrt(x), [0.0, 1.0, 4.0], 0.25),
    "logarithm": (lambda ad, x: ad.np.log(x), [0.0, 1.0, 4.0], 0.25),
    "arccosine": (lambda ad, x: ad.np.acos(x), [1.0, -1.0, 0.6], -1.25),
    "sinc": (lambda ad, x: ad.np.sinc(x), [0.0, 2.0, 1.0], -1.0),
    "absolute_loss": (lambda ad, x: ad.np.l1_loss(x, ad.array(2.0)), [2.0, 3.0, 1.0], -1.0),
    "smooth_loss": (lambda ad, x: ad.np.smooth_l1_loss(x, ad.array(2.0)), [2.0, 3.0, 0.5], -1.0),
    "cross_entropy": (lambda ad, x: ad.np.binary_cross_entropy(x, ad.array(1.0)), [0.0, 1.0, 0.25], -4.0),
}
VECTORS = {
    "greatest": (lambda ad, x: ad.np.max(x), [[2.0, 2.0, 1.0], [3.0, 3.0, 3.0], [1.0, 5.0, 2.0]], [0.0, 1.0, 0.0]),
    "least": (lambda ad, x: ad.np.amin(x, 0), [[2.0, 1.0, 1.0], [3.0, 3.0, 3.0], [5.0, 1.0, 2.0]], [0.0, 1.0, 0.0]),
    "indexed": (
        lambda ad, x: ad.np.max_with_index(x)[0],
        [[1.0, 2.0, 2.0], [3.0, 1.0, 3.0], [5.0, 1.0, 2.0]],
        [1.0, 0.0, 0.0],
    ),
    "greater": (
        lambda ad, x: ad.np.maximum(x[0], x[1]),
        [[2.0, 2.0, 0.0], [3.0, 1.0, 0.0], [1.0, 3.0, 0.0]],
        [0.0, 1.0, 0.0],
    ),
    "sorted": (
        lambda ad, x: _weighted(ad, ad.np.sort(x)),
        [[1.0, 1.0, 0.0], [2.0, 2.0, 2.0], [3.0, 1.0, 2.0]],
        [100.0, 1.0, 10.0],
    ),
    "greatest_so_far": (
        lambda ad, x: _weighted(ad, ad.np.cummax(x)),
        [[1.0, 1.0, 0.0], [2.0, 3.0, 3.0], [5.0, 3.0, 2.0]],
        [111.0, 0.0, 0.0],
    ),
    "pooled": (_pooled, [[2.0, 2.0, 1.0, 0.0], [3.0, 1.0, 4.0, 4.0], [1.0, 2.0, 5.0, 3.0]], [0.0, 1.0, 10.0, 0.0]),
    "euclidean_norm": (lambda ad, x: ad.np.norm(x, 2), [[0.0, 0.0], [0.0, -2.0], [3.0, 4.0]], [0.6, 0.8]),
    "one_norm": (lambda ad, x: ad.np.norm(x, 1), [[0.0, 0.0], [0.0, -2.0], [3.0, -4.0]], [1.0, -1.0]),
    "infinity_norm": (
        lambda ad, x: ad.np.norm(x, float("inf")),
        [[2.0, -2.0], [0.0, 0.0], [1.0, -3.0]],
        [0.0, -1.0],
    ),
    "distance": (
        lambda ad, x: ad.np.dist(x, ad.array([1.0, 2.0])),
        [[1.0, 2.0], [1.0, 5.0], [4.0, 6.0]],
        [0.6, 0.8],
    ),
    "hypotenuse": (lambda ad, x: ad.np.hypot(x[0], x[1]), [[0.0, 0.0], [0.0, 4.0], [3.0, 4.0]], [0.6, 0.8]),
    "deviation": (lambda ad, x: ad.np.std(x), [[2.0, 2.0, 2.0], [1.0, 1.0, 4.0], [1.0, 2.0, 3.0]], [-0.5, 0.0, 0.5]),
    "product": (lambda ad, x: ad.np.prod(x), [[0.0, 2.0, 3.0], [0.0, 0.0, 5.0], [1.0, 2.0, 3.0]], [6.0, 3.0, 2.0]),
    "running_product": (
        lambda ad, x: _weighted(ad, ad.np.cumprod(x)),
        [[2.0, 0.0, 3.0], [0.0, 4.0, 0.0], [1.0, 2.0, 3.0]],
        [621.0, 310.0, 200.0],
    ),
}
POINTS = NUMBERS | VECTORS


@behaviour(
    MUST,
    torch_func("func.ux_limitations", LIMITS),
    torch_func("torch.func.grad"),
    jax("jax.vmap"),
    jax("jax.grad"),
    cases=POINTS,
    aliases=("vmap nan gradient",),
)
def vmap_gives_each_point_the_gradient_that_it_has_alone(ad, function, points, last):
    """vmap of a gradient gives each point of a batch the gradient that it has without vmap: kinks, ties, zeros, ends of
    a domain and NaN as well as ordinary points beside them."""
    gradient, batch = ad.grad(lambda x: function(ad, x)), ad.array(points)
    mapped = ad.vmap(gradient)(batch)
    close(mapped, ad.np.stack([gradient(batch[0]), gradient(batch[1]), gradient(batch[2])]))
    close(mapped[2], last)


@behaviour(
    MUST,
    torch_func("func.ux_limitations", LIMITS),
    torch_func("torch.func.jvp"),
    jax("jax.vmap"),
    jax("jax.jvp"),
    cases=POINTS,
)
def vmap_gives_each_point_the_jvp_that_it_has_alone(ad, function, points, last):
    """vmap of a JVP gives each point of a batch the tangent that it has without vmap: kinks, ties, zeros, ends of a
    domain and NaN as well as ordinary points beside them."""

    def push(x, tangent):
        return ad.jvp(lambda x: function(ad, x), (x,), (tangent,))[1]

    batch = ad.array(points)
    tangents = ad.np.stack([batch[2], 2 * batch[2], 3 * batch[2]])
    mapped = ad.vmap(push)(batch, tangents)
    alone = [push(batch[0], tangents[0]), push(batch[1], tangents[1]), push(batch[2], tangents[2])]
    close(mapped, ad.np.stack(alone))
    close(mapped[2], ad.np.sum(ad.array(last) * tangents[2]))


@behaviour(
    MUST,
    torch("func.ux_limitations", LIMITS),
    torch_func("func.ux_limitations", LIMITS),
    torch_func("func.whirlwind_tour"),
    jax("jax.vmap"),
    jax("thinking_in_jax", COMPOSED),
    cases=POINTS,
)
def the_gradient_of_a_mapped_sum_has_the_gradient_of_each_point(ad, function, points, last):
    """The gradient of a weighted sum over vmap has for each point of a batch its own gradient times its weight: kinks,
    ties, zeros, ends of a domain and NaN as well as ordinary points beside them."""
    weights, gradient, batch = ad.array([2.0, 3.0, 5.0]), ad.grad(lambda x: function(ad, x)), ad.array(points)
    summed = ad.grad(lambda xs: ad.np.sum(weights * ad.vmap(lambda x: function(ad, x))(xs)))(batch)
    close(summed, ad.np.stack([2 * gradient(batch[0]), 3 * gradient(batch[1]), 5 * gradient(batch[2])]))
    close(summed[2], 5 * ad.array(last))


def _squares(ad, x):
    return ad.np.sum(x * x)


# A function of one example, which is twice differentiable at both of two examples, and the Hessians there.
CURVED = {
    "rectifier": (
        lambda ad, x: _squares(ad, ad.np.relu(x)),
        [[2.0, -1.0], [-3.0, 1.0]],
        [[[2.0, 0.0], [0.0, 0.0]], [[0.0, 0.0], [0.0, 2.0]]],
    ),
    "clip": (
        lambda ad, x: _squares(ad, ad.np.clip(x, 0.0, 1.0)),
        [[0.5, 2.0], [-1.0, 0.25]],
        [[[2.0, 0.0], [0.0, 0.0]], [[0.0, 0.0], [0.0, 2.0]]],
    ),
    "greatest": (
        lambda ad, x: ad.np.max(x) ** 2,
        [[1.0, 5.0], [3.0, -1.0]],
        [[[0.0, 0.0], [0.0, 2.0]], [[2.0, 0.0], [0.0, 0.0]]],
    ),
    "sorted": (
        lambda ad, x: ad.np.sum(ad.array([1.0, 10.0]) * ad.np.sort(x) ** 2),
        [[3.0, 1.0], [1.0, 3.0]],
        [[[20.0, 0.0], [0.0, 2.0]], [[2.0, 0.0], [0.0, 20.0]]],
    ),
    "smooth_loss": (
        lambda ad, x: ad.np.smooth_l1_loss(x, ad.array([2.0, 1.0])),
        [[2.0, 5.0], [0.0, 1.5]],
        [[[0.5, 0.0], [0.0, 0.0]], [[0.0, 0.0], [0.0, 0.5]]],
    ),
    "cube": (
        lambda ad, x: ad.np.sum(x**3),
        [[0.0, 2.0], [-1.0, 0.0]],
        [[[0.0, 0.0], [0.0, 12.0]], [[-6.0, 0.0], [0.0, 0.0]]],
    ),
    "euclidean_norm": (
        lambda ad, x: ad.np.norm(x, 2),
        [[0.0, 2.0], [3.0, 4.0]],
        [[[0.5, 0.0], [0.0, 0.0]], [[0.128, -0.096], [-0.096, 0.072]]],
    ),
    "hypotenuse": (
        lambda ad, x: ad.np.hypot(x[0], x[1]),
        [[0.0, 2.0], [3.0, 4.0]],
        [[[0.5, 0.0], [0.0, 0.0]], [[0.128, -0.096], [-0.096, 0.072]]],
    ),
    "logarithm_of_exponentials": (
        lambda ad, x: ad.np.logsumexp(x),
        [[float("-inf"), 0.0, LOG_3], [LOG_3, float("-inf"), 0.0]],
        [
            [[0.0, 0.0, 0.0], [0.0, 0.1875, -0.1875], [0.0, -0.1875, 0.1875]],
            [[0.1875, 0.0, -0.1875], [0.0, 0.0, 0.0], [-0.1875, 0.0, 0.1875]],
        ],
    ),
    "product": (
        lambda ad, x: ad.np.prod(x),
        [[0.0, 2.0, 3.0], [0.0, 0.0, 5.0]],
        [[[0.0, 3.0, 2.0], [3.0, 0.0, 0.0], [2.0, 0.0, 0.0]], [[0.0, 5.0, 0.0], [5.0, 0.0, 0.0], [0.0, 0.0, 0.0]]],
    ),
    "running_product": (
        lambda ad, x: _weighted(ad, ad.np.cumprod(x)),
        [[2.0, 0.0, 3.0], [0.0, 4.0, 0.0]],
        [
            [[0.0, 310.0, 0.0], [310.0, 0.0, 200.0], [0.0, 200.0, 0.0]],
            [[0.0, 10.0, 400.0], [10.0, 0.0, 0.0], [400.0, 0.0, 0.0]],
        ],
    ),
}


@behaviour(
    MUST,
    torch_func("func.ux_limitations", LIMITS),
    torch_func("torch.func.hessian"),
    jax("jax.vmap"),
    jax("jax.hessian"),
    cases=CURVED,
)
def vmap_gives_each_point_its_hessian(ad, function, points, hessians):
    """vmap of a Hessian gives each example its own, of functions with kinks elsewhere, and at zero factors, zero
    components and infinities."""
    close(ad.vmap(ad.hessian(lambda x: function(ad, x)))(ad.array(points)), hessians)


@behaviour(
    MUST,
    torch_func("func.ux_limitations", LIMITS),
    torch_func("torch.func.jacrev"),
    torch_func("torch.func.grad"),
    jax("jax.vmap"),
    jax("jax.jacrev"),
    jax("jax.grad"),
    cases=CURVED,
)
def vmap_gives_each_point_its_hessian_in_reverse_mode(ad, function, points, hessians):
    """vmap of the reverse-mode Jacobian of a gradient gives each example its Hessian, of functions with kinks
    elsewhere, and at zero factors, zero components and infinities."""
    close(ad.vmap(ad.jacobian(ad.grad(lambda x: function(ad, x))))(ad.array(points)), hessians)


@behaviour(
    MUST,
    torch_func("func.ux_limitations", LIMITS),
    torch_func("torch.func.jvp"),
    torch_func("torch.func.grad"),
    jax("jax.vmap"),
    jax("jax.jvp"),
    jax("jax.grad"),
    cases={
        "greatest": (
            lambda ad, x: ad.np.max(x) ** 2,
            [1.0, 10.0],
            [[1.0, 5.0], [3.0, -1.0]],
            [[0.0, 20.0], [2.0, 0.0]],
        ),
        "product": (
            lambda ad, x: ad.np.prod(x),
            [1.0, 10.0, 100.0],
            [[0.0, 2.0, 3.0], [0.0, 0.0, 5.0]],
            [[230.0, 3.0, 2.0], [50.0, 5.0, 0.0]],
        ),
        "hinge_loss": (
            lambda ad, x: ad.np.hinge_embedding_loss(x, ad.array([1.0, -1.0])) ** 2,
            [1.0, 10.0],
            [[3.0, -2.0], [3.0, 2.0]],
            [[-4.5, 4.5], [0.5, 0.0]],
        ),
    },
    aliases=("vmap hvp",),
)
def one_direction_is_multiplied_by_the_hessian_of_each_point(ad, function, direction, points, products):
    """vmap of the JVP of a gradient along a tangent that is not mapped gives for each example its own Hessian times
    that tangent."""
    gradient, tangent = ad.grad(lambda x: function(ad, x)), ad.array(direction)
    close(ad.vmap(lambda x: ad.jvp(gradient, (x,), (tangent,))[1])(ad.array(points)), products)
