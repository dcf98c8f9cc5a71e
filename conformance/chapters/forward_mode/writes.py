"""Forward mode and the tape: tangents of what is written in place, of views, and beside a recorded history."""

from conformance.behaviour import MAY, MUST, behaviour, torch, torch_func
from conformance.expect import close, equal

DUAL = "torch.autograd.forward_ad.make_dual"


@behaviour(MAY, torch(DUAL))
def a_write_into_a_part_changes_its_tangent(ad):
    """Multiplying a part of a dual array by ten in place multiplies that part of its tangent, too."""
    with ad.dual_level():
        dual = ad.make_dual(ad.array([1.0, 2.0]), ad.array([3.0, 4.0]))
        ad.mul_(dual[:1], 10.0)
        close((ad.primal_of(dual), ad.tangent_of(dual)), ([10.0, 2.0], [30.0, 4.0]))


@behaviour(MAY, torch(DUAL))
def a_plain_part_takes_over_a_tangent(ad):
    """A part of a plain array that a dual one is copied into has its tangent from then on, and so has the array."""
    plain = ad.np.zeros((2,))
    with ad.dual_level():
        part = plain[:1]
        ad.copy_(part, ad.make_dual(ad.array([2.0]), ad.array([4.0])))
        close((ad.tangent_of(part), ad.tangent_of(plain)), ([4.0], [4.0, 0.0]))


@behaviour(MAY, torch(DUAL))
def a_tangent_that_is_written_keeps_its_history(ad):
    """A tangent that came into an array by a write is differentiable in reverse: five times it has the gradient 5."""
    tangent, plain = ad.leaf(4.0), ad.np.zeros((2,))
    with ad.dual_level():
        ad.set_item_(plain, 0, ad.make_dual(ad.array(2.0), tangent))
        ad.backward(5 * ad.np.sum(ad.tangent_of(plain)))
    close(ad.gradient_of(tangent), 5.0)


@behaviour(MAY, torch(DUAL))
def a_recorded_write_has_a_tangent_and_a_gradient(ad):
    """A write in place of a dual array that requires grad acts on both: 5x doubled has tangent and gradient 10."""
    x = ad.leaf(3.0)
    with ad.dual_level():
        y = 5 * ad.make_dual(x, ad.array(1.0))
        ad.mul_(y, 2.0)
        close(ad.tangent_of(y), 10.0)
        ad.backward(y)
    close(ad.gradient_of(x), 10.0)


@behaviour(MAY, torch(DUAL))
def a_recorded_write_into_a_part_reaches_the_whole(ad):
    """A write into a part of a dual array that requires grad is differentiated in the whole array."""
    x = ad.leaf([1.0, 2.0])
    with ad.dual_level():
        y = 1 * ad.make_dual(x, ad.array([3.0, 4.0]))
        ad.mul_(y[:1], 10.0)
        ad.backward(ad.np.sum(y))
    close(ad.gradient_of(x), [10.0, 1.0])


@behaviour(MAY, torch(DUAL))
def a_saved_result_has_its_tangent(ad):
    """The gradient of exp, which is the result that exp saved, carries the result's tangent: 5 at zero along 5."""
    with ad.dual_level():
        dual = ad.make_dual(ad.leaf(0.0), ad.array(5.0))
        (gradient,) = ad.grad_of(ad.np.exp(dual), dual, create_graph=True)
        close((gradient, ad.tangent_of(gradient)), (1.0, 5.0))


@behaviour(MUST, torch("torch.no_grad"))
def a_dual_array_is_not_recorded_under_no_grad(ad):
    """Under no_grad a result computed on a dual array has a tangent, and does not require grad."""
    with ad.dual_level():
        dual = ad.make_dual(ad.leaf(3.0), ad.array(2.0))
        with ad.no_grad():
            y = 5 * dual
        close(ad.tangent_of(y), 10.0)
        equal(ad.requires_grad(y), False)


@behaviour(MAY, torch(DUAL))
def a_part_follows_the_tangent_of_its_array(ad):
    """A part that took over a tangent follows a write into its array: it is ten times as large, and its gradient 10."""
    tangent, plain = ad.leaf([4.0]), ad.np.zeros((2,))
    with ad.dual_level():
        part = plain[:1]
        ad.copy_(part, ad.make_dual(ad.array([2.0]), tangent))
        ad.mul_(plain, 10.0)
        close(ad.tangent_of(part), [40.0])
        ad.backward(ad.np.sum(ad.tangent_of(part)))
    close(ad.gradient_of(tangent), [10.0])


def _squared_in_place(ad, x):
    y = 1 * x
    return ad.mul_(y, y)


@behaviour(MUST, torch("autograd", "Forward-mode Automatic Differentiation"), torch_func("torch.func.jvp"))
def a_square_in_place_has_its_tangent(ad):
    """A number multiplied by itself in place has the tangent of its square: at 2 along 3 that is 12."""
    close(ad.jvp(lambda x: _squared_in_place(ad, x), (ad.array(2.0),), (ad.array(3.0),)), (4.0, 12.0))


@behaviour(MAY, torch(DUAL))
def a_part_made_before_has_the_tangent_too(ad):
    """A part taken before its array took over a tangent has its share of it in later operations: five times 4 is 20."""
    plain = ad.np.zeros((2,))
    part = plain[:1]
    with ad.dual_level():
        ad.copy_(plain, ad.make_dual(ad.array([1.0, 2.0]), ad.array([4.0, 7.0])))
        close(ad.tangent_of(5 * part), [20.0])
