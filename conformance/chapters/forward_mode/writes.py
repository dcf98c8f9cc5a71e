"""Forward mode, in-place: tangents under in-place operations, through views, and with a recorded graph."""

from conformance.behaviour import MUST, behaviour, torch, torch_func
from conformance.expect import close, equal

DUAL = "torch.autograd.forward_ad.make_dual"


@behaviour(MUST, torch(DUAL))
def an_in_place_write_to_a_slice_changes_its_tangent(ad):
    """Multiplying a slice of a dual tensor in-place by 10 also multiplies that slice of its tangent by 10."""
    with ad.dual_level():
        dual = ad.make_dual(ad.array([1.0, 2.0]), ad.array([3.0, 4.0]))
        ad.mul_(dual[:1], 10.0)
        close((ad.primal_of(dual), ad.tangent_of(dual)), ([10.0, 2.0], [30.0, 4.0]))


@behaviour(MUST, torch(DUAL))
def copying_a_dual_tensor_into_a_slice_gives_it_the_tangent(ad):
    """copy_ of a dual tensor into a slice of a tensor that is not dual gives the slice and its base the tangent."""
    base = ad.np.zeros((2,))
    with ad.dual_level():
        part = base[:1]
        ad.copy_(part, ad.make_dual(ad.array([2.0]), ad.array([4.0])))
        close((ad.tangent_of(part), ad.tangent_of(base)), ([4.0], [4.0, 0.0]))


@behaviour(MUST, torch(DUAL))
def a_tangent_from_an_in_place_write_is_differentiable(ad):
    """After y[0] = dual, the tangent of y is differentiable in reverse mode with respect to that of the dual tensor."""
    tangent, target = ad.leaf(4.0), ad.np.zeros((2,))
    with ad.dual_level():
        ad.set_item_(target, 0, ad.make_dual(ad.array(2.0), tangent))
        ad.backward(5 * ad.np.sum(ad.tangent_of(target)))
    close(ad.gradient_of(tangent), 5.0)


@behaviour(MUST, torch(DUAL))
def an_in_place_write_has_a_tangent_and_a_gradient(ad):
    """mul_() on a non-leaf dual tensor that requires grad scales both its tangent and the gradient through it."""
    x = ad.leaf(3.0)
    with ad.dual_level():
        y = 5 * ad.make_dual(x, ad.array(7.0))
        ad.mul_(y, 2.0)
        close(ad.tangent_of(y), 70.0)
        ad.backward(y)
    close(ad.gradient_of(x), 10.0)


@behaviour(MUST, torch(DUAL))
def an_in_place_write_to_a_slice_reaches_its_base(ad):
    """mul_() on a slice of a non-leaf dual tensor that requires grad scales that slice of its tangent and of the
    gradient through it."""
    x = ad.leaf([1.0, 2.0])
    with ad.dual_level():
        y = 1 * ad.make_dual(x, ad.array([3.0, 4.0]))
        ad.mul_(y[:1], 10.0)
        close(ad.tangent_of(y), [30.0, 4.0])
        ad.backward(ad.np.sum(y))
    close(ad.gradient_of(x), [10.0, 1.0])


@behaviour(MUST, torch(DUAL))
def a_saved_output_has_its_tangent(ad):
    """An output saved for backward keeps its tangent: for a dual x the gradient of exp(x) has the tangent of exp(x)."""
    with ad.dual_level():
        dual = ad.make_dual(ad.leaf(1.0), ad.array(5.0))
        (gradient,) = ad.grad_of(ad.np.exp(dual), dual, create_graph=True)
        close((gradient, ad.tangent_of(gradient)), (2.718281828459045, 13.591409142295225))


@behaviour(MUST, torch("torch.no_grad"), aliases=("no_grad forward mode",))
def no_grad_does_not_apply_to_forward_mode(ad):
    """An output computed from a dual tensor under no_grad has a tangent, but does not require grad."""
    with ad.dual_level():
        dual = ad.make_dual(ad.leaf(3.0), ad.array(2.0))
        with ad.no_grad():
            y = 5 * dual
        close(ad.tangent_of(y), 10.0)
        equal(ad.requires_grad(y), False)


@behaviour(MUST, torch(DUAL))
def a_view_follows_the_tangent_of_its_base(ad):
    """After copy_ of a dual tensor into a slice, mul_() on the base scales the slice's tangent, differentiably."""
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


@behaviour(MUST, torch(DUAL), torch_func("torch.func.jvp"), aliases=("wrong jvp in-place", "mul_ same tensor"))
def an_in_place_square_has_its_tangent(ad):
    """A tensor multiplied by itself in-place, y.mul_(y), has the JVP of y²: 12 at y = 2 with tangent 3."""
    close(ad.jvp(lambda x: _squared_in_place(ad, x), (ad.array(2.0),), (ad.array(3.0),)), (4.0, 12.0))


@behaviour(MUST, torch(DUAL))
def an_earlier_view_has_the_tangent_too(ad):
    """If copy_ of a dual tensor gives a base its tangent, a view taken before has its part of that tangent."""
    base = ad.np.zeros((2,))
    part = base[:1]
    with ad.dual_level():
        ad.copy_(base, ad.make_dual(ad.array([1.0, 2.0]), ad.array([4.0, 7.0])))
        close(ad.tangent_of(5 * part), [20.0])
