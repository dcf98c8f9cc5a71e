"""Forward mode and the tape: tangents under in-place writes, through views, and beside a recorded graph."""

from conformance.behaviour import MAY, MUST, behaviour, torch, torch_func
from conformance.expect import close, equal

DUAL = "torch.autograd.forward_ad.make_dual"


@behaviour(MUST, torch(DUAL))
def a_write_into_a_part_changes_its_tangent(ad):
    """An in-place multiplication of a slice of a dual tensor by 10 also multiplies that slice of its tangent by 10."""
    with ad.dual_level():
        dual = ad.make_dual(ad.array([1.0, 2.0]), ad.array([3.0, 4.0]))
        ad.mul_(dual[:1], 10.0)
        close((ad.primal_of(dual), ad.tangent_of(dual)), ([10.0, 2.0], [30.0, 4.0]))


@behaviour(MUST, torch(DUAL))
def a_plain_part_takes_over_a_tangent(ad):
    """copy_ of a dual tensor into a slice of a tensor that is not dual gives the slice and its base the tangent."""
    base = ad.np.zeros((2,))
    with ad.dual_level():
        part = base[:1]
        ad.copy_(part, ad.make_dual(ad.array([2.0]), ad.array([4.0])))
        close((ad.tangent_of(part), ad.tangent_of(base)), ([4.0], [4.0, 0.0]))


@behaviour(MUST, torch(DUAL))
def a_tangent_that_is_written_keeps_its_history(ad):
    """A tangent that an in-place write brought into a tensor is differentiable in reverse mode."""
    tangent, target = ad.leaf(4.0), ad.np.zeros((2,))
    with ad.dual_level():
        ad.set_item_(target, 0, ad.make_dual(ad.array(2.0), tangent))
        ad.backward(5 * ad.np.sum(ad.tangent_of(target)))
    close(ad.gradient_of(tangent), 5.0)


@behaviour(MUST, torch(DUAL))
def a_recorded_write_has_a_tangent_and_a_gradient(ad):
    """An in-place write to a dual tensor that requires grad counts in both modes: (5x).mul_(2) has derivative 10."""
    x = ad.leaf(3.0)
    with ad.dual_level():
        y = 5 * ad.make_dual(x, ad.array(1.0))
        ad.mul_(y, 2.0)
        close(ad.tangent_of(y), 10.0)
        ad.backward(y)
    close(ad.gradient_of(x), 10.0)


@behaviour(MUST, torch(DUAL))
def a_recorded_write_into_a_part_reaches_the_whole(ad):
    """An in-place write to a slice of a dual tensor that requires grad changes tangent and gradient of the base."""
    x = ad.leaf([1.0, 2.0])
    with ad.dual_level():
        y = 1 * ad.make_dual(x, ad.array([3.0, 4.0]))
        ad.mul_(y[:1], 10.0)
        close(ad.tangent_of(y), [30.0, 4.0])
        ad.backward(ad.np.sum(y))
    close(ad.gradient_of(x), [10.0, 1.0])


@behaviour(MAY, torch(DUAL))
def a_saved_result_has_its_tangent(ad):
    """An output saved for backward keeps its tangent: the gradient of exp at 0 along 5 is 1, with the tangent 5."""
    with ad.dual_level():
        dual = ad.make_dual(ad.leaf(0.0), ad.array(5.0))
        (gradient,) = ad.grad_of(ad.np.exp(dual), dual, create_graph=True)
        close((gradient, ad.tangent_of(gradient)), (1.0, 5.0))


@behaviour(MUST, torch("torch.no_grad"))
def a_dual_array_is_not_recorded_under_no_grad(ad):
    """no_grad does not apply to forward mode: an output computed in it has a tangent, and does not require grad."""
    with ad.dual_level():
        dual = ad.make_dual(ad.leaf(3.0), ad.array(2.0))
        with ad.no_grad():
            y = 5 * dual
        close(ad.tangent_of(y), 10.0)
        equal(ad.requires_grad(y), False)


@behaviour(MUST, torch(DUAL))
def a_part_follows_the_tangent_of_its_array(ad):
    """A slice that got a tangent by copy_ follows an in-place write to its base: mul_(10) scales its tangent too."""
    tangent, base = ad.leaf([4.0]), ad.np.zeros((2,))
    with ad.dual_level():
        part = base[:1]
        ad.copy_(part, ad.make_dual(ad.array([2.0]), tangent))
        ad.mul_(base, 10.0)
        close(ad.tangent_of(part), [40.0])
        ad.backward(ad.np.sum(ad.tangent_of(part)))
    close(ad.gradient_of(tangent), [10.0])


def _squared_in_place(ad, x):
    y = 1 * x
    return ad.mul_(y, y)


@behaviour(MUST, torch(DUAL), torch_func("torch.func.jvp"))
def a_square_in_place_has_its_tangent(ad):
    """A tensor multiplied by itself in place, y.mul_(y), has the JVP of the square: at 2 along 3 it is 12."""
    close(ad.jvp(lambda x: _squared_in_place(ad, x), (ad.array(2.0),), (ad.array(3.0),)), (4.0, 12.0))


@behaviour(MUST, torch(DUAL))
def a_part_made_before_has_the_tangent_too(ad):
    """A view taken before its base got a tangent by copy_ has its share of that tangent in later operations."""
    base = ad.np.zeros((2,))
    part = base[:1]
    with ad.dual_level():
        ad.copy_(base, ad.make_dual(ad.array([1.0, 2.0]), ad.array([4.0, 7.0])))
        close(ad.tangent_of(5 * part), [20.0])
