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
    close(ad.detach(ad.array([3, -2])), [3, -2])


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
    gradient = ad.grad(lambda x: ad.detach(x) * x**2)
    close(ad.grad(gradient)(ad.array(3.0)), 6.0)
    close(ad.jvp(gradient, (ad.array(3.0),), (ad.array(5.0),)), (18.0, 30.0))


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


@behaviour(MUST, jax(STOP), aliases=("freeze a subset of the parameters",))
def stop_gradient_applies_to_each_array_of_a_container(ad):
    """stop_gradient of a container (a pytree) makes each of its arrays a constant and keeps the structure."""

    def program(p):
        stopped = ad.detach_tree(p)
        return stopped["a"] * p["b"][0] + stopped["b"][0] * 3 * p["a"]

    p = {"a": ad.array(2.0), "b": (ad.array(5.0),)}
    close(ad.value_and_grad(program)(p), (40.0, {"a": 15.0, "b": (2.0,)}))


@behaviour(MUST, jax("higher-order", "Stopping gradients"), torch(DETACH), aliases=("temporal difference",))
def a_target_behind_stop_gradient_is_a_constant(ad):
    """With stop_gradient (detach) around its target, the TD(0) pseudo loss -(r + θ·s' - θ·s)²/2 has the gradient
    (r + θ·s' - θ·s) s."""
    before, after = ad.array([1.0, 2.0, -1.0]), ad.array([2.0, 1.0, 0.0])

    def loss(theta):
        target = ad.detach(1.0 + ad.np.sum(theta * after))
        return -0.5 * (target - ad.np.sum(theta * before)) ** 2

    close(ad.grad(loss)(ad.array([0.1, -0.1, 0.0])), [1.2, 2.4, -1.2])
