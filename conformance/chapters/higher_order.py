"""Higher order: double backward, gradients of gradients, create_graph and Hessians."""

from conformance.behaviour import MUST, SHOULD, behaviour, document, hips, jax, torch, torch_func
from conformance.expect import close, equal, raises


@behaviour(MUST, torch("torch.autograd.grad"), document("004"), aliases=("create_graph",))
def a_gradient_has_no_graph_by_default(ad):
    """Without `create_graph` and `grad_outputs`, `torch.autograd.grad` returns a gradient with requires_grad=False."""
    x = ad.leaf(3.0)
    (gradient,) = ad.grad_of(x * x, x)
    equal(ad.requires_grad(gradient), False)


@behaviour(MUST, torch("torch.Tensor.backward"))
def a_stored_gradient_has_no_graph_by_default(ad):
    """The gradient that `backward()` stores in `.grad` without `create_graph` has requires_grad=False."""
    x = ad.leaf(3.0)
    ad.backward(x * x)
    equal(ad.requires_grad(ad.gradient_of(x)), False)


@behaviour(MUST, torch("torch.autograd.backward"))
def a_gradient_of_several_outputs_has_no_graph_by_default(ad):
    """`torch.autograd.backward` of several outputs without `create_graph` stores a .grad with requires_grad=False."""
    x = ad.leaf(3.0)
    ad.backward_of([x * x, 2 * x])
    equal(ad.requires_grad(ad.gradient_of(x)), False)


@behaviour(MUST, torch("torch.autograd.grad"), document("000"), aliases=("double backward",))
def create_graph_makes_a_gradient_differentiable(ad):
    """A gradient with `create_graph=True` can be differentiated: for x³ at 3 it is 27, and its own gradient 18."""
    x = ad.leaf(3.0)
    (first,) = ad.grad_of(x**3, x, create_graph=True)
    close((first, ad.grad_of(first, x)), (27.0, (18.0,)))


@behaviour(
    MUST, torch("torch.Tensor.backward"), document("000"), document("004"), aliases=("create_graph memory leak",)
)
def backward_with_create_graph_stores_a_differentiable_gradient(ad):
    """A gradient that `backward(create_graph=True)` stores in `.grad` can be differentiated (double backward)."""
    x = ad.leaf(3.0)
    ad.backward(x**3, create_graph=True)
    (second,) = ad.grad_of(ad.gradient_of(x), x)
    ad.set_gradient_(x, None)
    close(second, 18.0)


@behaviour(
    MUST,
    torch("torch.autograd.grad"),
    jax("automatic-differentiation", "1. Taking gradients with jax.grad"),
    torch_func("torch.func.grad"),
    document("000"),
    aliases=("second derivative",),
)
def gradients_nest(ad):
    """grad of grad is the second derivative: that of x³ at 3 is 18."""
    close(ad.grad(ad.grad(lambda x: x**3))(ad.array(3.0)), 18.0)


def _nested(ad, program, order):
    return _nested(ad, ad.grad(program), order - 1) if order else program


@behaviour(
    MUST,
    torch("torch.autograd.grad"),
    jax("automatic-differentiation", "1. Taking gradients with jax.grad"),
    torch_func("torch.func.grad"),
    hips("README"),
    cases={"third": (3, 4, 72.0), "tenth": (10, 10, 3628800.0)},
    aliases=("third derivative nth derivative",),
)
def gradients_nest_to_any_depth(ad, order, power, expected):
    """grad nests to any depth: the third derivative of x⁴ at 3 is 72, the tenth of x¹⁰ is 10!."""
    close(_nested(ad, lambda x: x**power, order)(ad.array(3.0)), expected)


@behaviour(
    MUST,
    torch("torch.autograd.grad"),
    torch_func("torch.func.grad"),
    jax("autodiff_cookbook", "Hessian-vector products with grad-of-grad"),
)
def an_inner_gradient_sees_outer_variables(ad):
    """An inner gradient may depend on the outer variable: x · d/dy (x + y)² at y = 1 has the derivative 14 at x = 3."""
    inner = ad.grad(lambda x: x * ad.grad(lambda y: (x + y) ** 2)(ad.array(1.0)))
    close(inner(ad.array(3.0)), 14.0)


@behaviour(
    MUST,
    torch("torch.autograd.functional.hessian"),
    jax("jax.hessian"),
    torch_func("torch.func.hessian"),
    hips("differential_operators", "hessian"),
)
def a_hessian_holds_all_second_derivatives(ad):
    """The Hessian of x²y at (1, 2) is [[4, 2], [2, 0]]."""
    close(ad.hessian(lambda x: x[0] ** 2 * x[1])(ad.array([1.0, 2.0])), [[4.0, 2.0], [2.0, 0.0]])


@behaviour(
    SHOULD,
    torch("torch.autograd.grad", raises=Exception, says="does not require grad"),
    aliases=("element 0 of tensors does not require grad",),
)
def a_gradient_without_create_graph_cannot_be_differentiated(ad):
    """Differentiating a gradient that was computed without `create_graph` raises an error."""
    x = ad.leaf(2.0)
    (first,) = ad.grad_of(x**3, x)
    raises(lambda: ad.grad_of(first, x))


@behaviour(MUST, torch("torch.Tensor.backward"), torch("torch.autograd.grad"), aliases=("gradient penalty",))
def a_penalty_on_the_gradient_reaches_the_leaf(ad):
    """`backward()` through a penalty on a gradient made with `create_graph=True` reaches the leaf: the gradient of
    (3x²)² at 2 is 288."""
    x = ad.leaf(2.0)
    (first,) = ad.grad_of(x**3, x, create_graph=True)
    ad.backward(first * first)
    close(ad.gradient_of(x), 288.0)


@behaviour(
    MUST,
    torch("torch.autograd.grad"),
    torch_func("torch.func.grad"),
    jax("automatic-differentiation", "1. Taking gradients with jax.grad"),
    aliases=("wgan-gp",),
)
def a_penalty_on_the_gradient_has_a_gradient(ad):
    """A gradient penalty can be differentiated: the squared norm of x²y's gradient has gradient (176, 96) at (2, 3)."""
    slope = ad.grad(lambda x: x[0] ** 2 * x[1])
    close(ad.grad(lambda x: ad.np.sum(slope(x) ** 2))(ad.array([2.0, 3.0])), [176.0, 96.0])


@behaviour(
    MUST,
    torch("torch.autograd.grad"),
    torch_func("torch.func.grad"),
    jax("automatic-differentiation", "1. Taking gradients with jax.grad"),
    cases={"x_first": (0, 1), "y_first": (1, 0)},
)
def mixed_derivatives_agree(ad, first, second):
    """Mixed derivatives of a smooth function agree in either order: ∂²/∂x∂y of x²y³ at (5, 2) is 120."""
    mixed = ad.grad(ad.grad(lambda x, y: x**2 * y**3, argnums=first), argnums=second)
    close(mixed(ad.array(5.0), ad.array(2.0)), 120.0)
