"""Nesting: derivatives inside derivatives, in both modes, without perturbation confusion."""

from conformance.behaviour import MUST, behaviour, jax, torch, torch_func
from conformance.expect import close

COMPOSED = "Taking derivatives with jax.grad"
CLOSURE = "Hessian-vector products with jax.grad-of-jax.grad"
PRODUCTS = "Hessian-vector products using both forward- and reverse-mode"


def backward(ad, program, x):
    return ad.grad(program)(ad.array(x))


def forward(ad, program, x):
    return ad.jvp(program, (ad.array(x),), (ad.array(1.0),))[1]


def jacobian(ad, program, x):
    return ad.jacobian(program)(ad.array(x))


def forward_jacobian(ad, program, x):
    return ad.jacfwd(program)(ad.array(x))


def linearized(ad, program, x):
    return ad.linearize(program, ad.array(x))[1](ad.array(1.0))


def pulled_back(ad, program, x):
    return ad.vjp(program, ad.array(x))[1](ad.array(1.0))[0]


@behaviour(
    MUST,
    jax("higher-order", CLOSURE),
    torch_func("func.whirlwind_tour"),
    cases={
        "reverse_in_reverse": (backward, backward),
        "forward_in_forward": (forward, forward),
        "forward_in_reverse": (backward, forward),
        "reverse_in_forward": (forward, backward),
        "jacobian_in_forward_jacobian": (forward_jacobian, jacobian),
        "forward_jacobian_in_jacobian": (jacobian, forward_jacobian),
        "linearized_in_linearized": (linearized, linearized),
        "linearized_in_reverse": (backward, linearized),
        "pullback_in_linearized": (linearized, pulled_back),
    },
    aliases=("perturbation confusion",),
)
def perturbations_are_not_confused(ad, outer, inner):
    """Nested derivatives do not confuse perturbations: d/dx of x · d/dy (x + 3y) is 3, in each pair of modes."""
    close(outer(ad, lambda x: x * inner(ad, lambda y: x + 3 * y, 5.0), 2.0), 3.0)


@behaviour(
    MUST,
    jax("higher-order", CLOSURE),
    torch("torch.autograd.grad"),
    torch_func("torch.func.grad"),
)
def nested_variables_at_the_same_value_are_not_confused(ad):
    """A nested gradient keeps its variables apart: d/dy of xy² at y = x is 2x², whose derivative at x = 3 is 12."""
    gradient = ad.grad(lambda x: ad.grad(lambda y: x * y**2)(x))
    close(gradient(ad.array(3.0)), 12.0)


@behaviour(
    MUST,
    jax("higher-order", CLOSURE),
    torch("torch.autograd.grad"),
    torch_func("torch.func.grad"),
)
def grad_of_grad_reaches_a_captured_value(ad):
    """grad of grad reaches a captured value: d/dx of ax² at 3 is 6a, whose derivative with respect to a is 6."""
    gradient = ad.grad(lambda a: ad.grad(lambda x: a * x**2)(ad.array(3.0)))
    close(gradient(ad.array(5.0)), 6.0)


@behaviour(
    MUST,
    jax("higher-order", "Higher-order derivative applications"),
    torch("torch.autograd.grad"),
    torch_func("torch.func.grad"),
    aliases=("maml meta-learning inner loop",),
)
def a_gradient_descent_step_is_differentiable(ad):
    """A gradient descent step is differentiable: on p² at rate 2 it gives -3p, and (-3p)² has the gradient 18 at 1."""
    gradient = ad.grad(lambda p: (p - 2 * ad.grad(lambda q: q**2)(p)) ** 2)
    close(gradient(ad.array(1.0)), 18.0)


@behaviour(
    MUST,
    jax("thinking_in_jax", COMPOSED),
    torch("torch.autograd.grad"),
    torch_func("func.whirlwind_tour"),
)
def a_pullback_is_differentiable_in_point_and_cotangent(ad):
    """A VJP can be differentiated: 3x²v, the VJP of x³ with cotangent v, has the gradient (90, 27) at x = 3, v = 5."""
    _, pullback = ad.vjp(lambda x, v: ad.vjp(lambda y: y**3, x)[1](v)[0], ad.array(3.0), ad.array(5.0))
    close(pullback(ad.array(1.0)), (90.0, 27.0))


@behaviour(MUST, jax("thinking_in_jax", COMPOSED), torch_func("func.whirlwind_tour"), aliases=("nested forward mode",))
def forward_mode_nests(ad):
    """A JVP of a JVP (forward over forward) gives the second derivative: that of y³ at 3 is 18."""
    close(forward(ad, lambda x: ad.jvp(lambda y: y**3, (x,), (ad.array(1.0),))[1], 3.0), 18.0)


def forward_over_reverse(ad, program, x, v):
    return ad.jvp(ad.grad(program), (x,), (v,))[1]


def reverse_over_forward(ad, program, x, v):
    return ad.grad(lambda x: ad.jvp(program, (x,), (v,))[1])(x)


def linearized_reverse(ad, program, x, v):
    return ad.linearize(ad.grad(program), x)[1](v)


def reverse_over_reverse(ad, program, x, v):
    return ad.grad(lambda x: ad.np.sum(ad.grad(program)(x) * v))(x)


@behaviour(
    MUST,
    jax("jacobian-vector-products", PRODUCTS),
    torch_func("func.whirlwind_tour"),
    cases={
        "forward_over_reverse": (forward_over_reverse,),
        "reverse_over_forward": (reverse_over_forward,),
        "reverse_over_reverse": (reverse_over_reverse,),
        "linearized_reverse": (linearized_reverse,),
    },
    aliases=("hvp", "hessian-vector product"),
)
def hessian_vector_products_agree(ad, product):
    """Hessian-vector products by three orders of modes agree: x₀²x₁ at (1, 2) with the vector (1, 10) gives (24, 2)."""
    x, v = ad.array([1.0, 2.0]), ad.array([1.0, 10.0])
    close(product(ad, lambda x: x[0] ** 2 * x[1], x, v), [24.0, 2.0])


@behaviour(MUST, jax("jacobian-vector-products", PRODUCTS))
def a_hessian_vector_product_of_containers(ad):
    """The JVP of grad is the Hessian-vector product, also for containers: for a²b at (2, 3) and the vector (1, 10) it
    is (46, 4)."""
    point, vector = {"a": ad.array(2.0), "b": [ad.array(3.0)]}, {"a": ad.array(1.0), "b": [ad.array(10.0)]}
    gradient = ad.grad(lambda p: p["a"] ** 2 * p["b"][0])
    close(ad.jvp(gradient, (point,), (vector,))[1], {"a": 46.0, "b": (4.0,)})
