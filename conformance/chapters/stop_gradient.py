"""Constants: stop_gradient and detach, through which no derivative flows."""

from conformance.behaviour import MUST, behaviour, jax, torch, torch_func
from conformance.expect import an_error, close, one_of

STOP = "jax.lax.stop_gradient"
DETACH = "torch.Tensor.detach"


@behaviour(MUST, jax(STOP), torch(DETACH), aliases=("detach vs stop_gradient",))
def stop_gradient_keeps_the_value(ad):
    """stop_gradient (detach) returns the value of its argument unchanged."""
    output, _ = ad.vjp(lambda x: (ad.detach(x), 5 * x), ad.array([3.0, -2.0]))
    close(output[0], [3.0, -2.0])


@behaviour(
    MUST,
    zero=(jax(STOP), torch_func("torch.func.grad")),
    raises=(
        torch("torch.autograd.grad", raises=Exception, says="does not require grad"),
        torch(DETACH),
    ),
    aliases=("stop gradient", "element 0 of tensors does not require grad and does not have a grad_fn"),
)
def no_gradient_flows_through_stop_gradient(ad):
    """The gradient of a function of stop_gradient(x) (detach) alone is zero, or grad raises an error, as the output
    does not require grad."""
    return one_of(lambda: ad.grad(lambda x: ad.detach(x) ** 2)(ad.array(3.0)), zero=0.0, raises=an_error)


@behaviour(
    MUST,
    zero=(jax(STOP), torch_func("torch.func.jvp")),
    none=torch(DETACH),
)
def no_tangent_flows_through_stop_gradient(ad):
    """The JVP of a function of stop_gradient(x) (detach) alone is zero, or the output has no tangent."""
    _, tangent = ad.jvp(lambda x: ad.detach(x) ** 2, (ad.array(3.0),), (ad.array(5.0),))
    return one_of(tangent, zero=0.0, none=None)


@behaviour(MUST, jax(STOP), torch(DETACH))
def stop_gradient_holds_at_every_order(ad):
    """stop_gradient(x) (detach) is a constant in higher derivatives, too: the second derivative of stop_gradient(x) *
    x² is 2x."""
    second = ad.grad(ad.grad(lambda x: ad.detach(x) * x**2))
    close(second(ad.array(3.0)), 6.0)


@behaviour(
    MUST,
    jax("higher-order", "Straight-through estimator using stop_gradient"),
    torch(DETACH),
    aliases=("straight-through estimator",),
)
def a_straight_through_estimator_has_gradient_one(ad):
    """The straight-through estimator x - stop_gradient(x) + stop_gradient(round(x)) has the value round(x) and the
    gradient 1."""
    rounded, pullback = ad.vjp(lambda x: x - ad.detach(x) + ad.detach(ad.np.round(x)), ad.array(3.2))
    close(rounded, 3.0)
    close(pullback(ad.array(7.0)), (7.0,))


@behaviour(MUST, jax(STOP))
def stop_gradient_holds_in_compiled_loops(ad):
    """stop_gradient(c) is a constant in a scan under jit, too: a step c + k * stop_gradient(c) has the derivative 1 in
    c."""

    def program(x):
        return ad.scan(lambda carry, step: (carry + step * ad.detach(carry), None), x, ad.array([3.0, 5.0]))[0]

    close(ad.jit(ad.value_and_grad(program))(ad.array(2.0)), (48.0, 1.0))
