"""Higher order: gradients of gradients."""

from conformance.behaviour import MUST, behaviour, document, jax, torch, torch_func
from conformance.expect import close, equal


@behaviour(MUST, torch("torch.autograd.grad"), document("000"))
def create_graph_makes_a_gradient_differentiable(ad):
    """A gradient asked for with a graph can be differentiated: x^3 at 2 gives 12, and then 12 again."""
    x = ad.leaf(2.0)
    (first,) = ad.grad_of(x**3, x, create_graph=True)
    close((first, ad.grad_of(first, x)), (12.0, (12.0,)))


@behaviour(MUST, torch("torch.autograd.backward"), document("000"), document("004"))
def backward_with_create_graph_stores_a_result(ad):
    """A gradient that backward accumulated with a graph can be differentiated like any result."""
    x = ad.leaf(2.0)
    ad.backward(x**3, create_graph=True)
    (second,) = ad.grad_of(ad.gradient_of(x), x)
    ad.clear_gradient_(x)
    close(second, 12.0)


@behaviour(MUST, torch("torch.autograd.grad"), document("004"))
def a_gradient_is_a_constant_by_default(ad):
    """Unless a graph of it is asked for, a gradient does not require grad."""
    x = ad.leaf(2.0)
    (first,) = ad.grad_of(x**3, x)
    equal(ad.requires_grad(first), False)


@behaviour(
    MUST,
    torch("torch.autograd.grad"),
    jax("automatic-differentiation", "1. Taking gradients with jax.grad"),
    torch_func("torch.func.grad"),
    document("000"),
)
def gradients_nest(ad):
    """The gradient of a gradient is the second derivative: that of x^3 at 2 is 12."""
    close(ad.grad(ad.grad(lambda x: x**3))(ad.array(2.0)), 12.0)


@behaviour(
    MUST,
    torch("torch.autograd.grad"),
    jax("automatic-differentiation", "1. Taking gradients with jax.grad"),
    torch_func("torch.func.grad"),
)
def gradients_nest_to_any_depth(ad):
    """Gradients nest to any depth: the third derivative of x^4 at 2 is 48."""
    close(ad.grad(ad.grad(ad.grad(lambda x: x**4)))(ad.array(2.0)), 48.0)


@behaviour(
    MUST,
    torch("torch.autograd.grad"),
    torch_func("torch.func.grad"),
    jax("autodiff_cookbook", "Hessian-vector products with grad-of-grad"),
)
def an_inner_gradient_sees_outer_variables(ad):
    """An inner gradient may depend on an outer variable: d/dx of x times d/dy (x + y)^2 at y = 1 is 4x + 2."""
    inner = ad.grad(lambda x: x * ad.grad(lambda y: (x + y) ** 2)(ad.array(1.0)))
    close(inner(ad.array(3.0)), 14.0)


@behaviour(
    MUST,
    torch("torch.autograd.functional.hessian"),
    jax("jax.hessian"),
    torch_func("torch.func.hessian"),
)
def a_hessian_holds_all_second_derivatives(ad):
    """The Hessian of x^2 y at (1, 2) is ((4, 2), (2, 0))."""
    close(ad.hessian(lambda x: x[0] ** 2 * x[1])(ad.array([1.0, 2.0])), [[4.0, 2.0], [2.0, 0.0]])
