"""Forward mode: JVPs, and dual tensors that carry a tangent through each operation."""

from conformance.behaviour import MAY, MUST, SHOULD, behaviour, jax, torch, torch_func
from conformance.expect import close, equal, raises

MAKE = "torch.autograd.forward_ad.make_dual"
UNPACK = "torch.autograd.forward_ad.unpack_dual"
LEVEL = "torch.autograd.forward_ad.dual_level"
TUTORIAL = "tutorials/forward_ad_usage"
COMPOSE = "What are composable function transforms?"
GRAD_IN_JAX = "Taking derivatives with jax.grad"


@behaviour(
    MUST,
    torch(MAKE),
    jax("jax.jvp"),
    torch_func("torch.func.jvp"),
    aliases=("jvp", "directional derivative"),
)
def jvp_gives_value_and_directional_derivative(ad):
    """A JVP returns the value and the Jacobian times the tangent: 6 and 23 for x*y at (2, 3) with tangent (1, 10)."""
    outputs = ad.jvp(lambda x, y: x * y, (ad.array(2.0), ad.array(3.0)), (ad.array(1.0), ad.array(10.0)))
    close(outputs, (6.0, 23.0))


@behaviour(
    MUST,
    torch(MAKE),
    cases={"real": (3.0, 5.0, 30.0), "complex": (1 + 2j, 3 - 1j, 10 + 10j)},
    aliases=("fwad", "dual numbers"),
)
def an_operation_on_a_dual_tensor_computes_the_jvp(ad, at, along, expected):
    """An operation on a dual tensor also computes the JVP: for x*x at x with tangent t it is 2xt, real or complex."""
    with ad.dual_level():
        dual = ad.make_dual(ad.array(at), ad.array(along))
        close(ad.tangent_of(dual * dual), expected)


@behaviour(MUST, torch(MAKE))
def make_dual_is_differentiable_in_reverse(ad):
    """make_dual is differentiable in reverse mode: backward() through the dual tensor of a leaf that requires grad
    populates the leaf's .grad."""
    x = ad.leaf(3.0)
    with ad.dual_level():
        ad.backward(ad.make_dual(x, ad.array(1.0)) ** 2)
    close(ad.gradient_of(x), 6.0)


@behaviour(MUST, torch(MAKE))
def the_gradient_at_a_dual_tensor_has_a_tangent(ad):
    """Forward over reverse: the gradient with respect to a dual tensor has a tangent, 90 for x³ at 3 with tangent 5."""
    with ad.dual_level():
        dual = ad.make_dual(ad.leaf(3.0), ad.array(5.0))
        (gradient,) = ad.grad_of(dual**3, dual, create_graph=True)
        close(ad.tangent_of(gradient), 90.0)


@behaviour(
    MAY,
    torch(UNPACK, unstated="the page has the tangent as it is; the tutorial shows None only after the level"),
    aliases=("tangent is none",),
)
def a_tensor_that_is_not_dual_has_no_tangent(ad):
    """unpack_dual gives the tangent None, not zeros, for a tensor that is not dual."""
    with ad.dual_level():
        equal(ad.tangent_of(ad.array(3.0)), None)


@behaviour(MUST, torch(TUTORIAL), torch(LEVEL))
def a_tangent_ends_with_its_level(ad):
    """Dual tensors lose their tangents when their dual_level ends, and do not get them back in the next one."""
    with ad.dual_level():
        dual = ad.make_dual(ad.array(3.0), ad.array(2.0))
        close(ad.tangent_of(dual), 2.0)
    with ad.dual_level():
        equal(ad.tangent_of(dual), None)


@behaviour(
    SHOULD,
    torch(LEVEL, raises=Exception, says="no level exists"),
    torch(TUTORIAL, raises=Exception, says="no level exists"),
    aliases=("no level exists, make sure to enter_dual_level",),
)
def make_dual_needs_a_dual_level(ad):
    """make_dual outside a dual_level raises an error."""
    x = ad.array(3.0)
    raises(lambda: ad.make_dual(x, x))


@behaviour(MUST, torch(UNPACK), torch("torch.autograd.forward_ad.UnpackedDualTensor"))
def unpack_dual_gives_primal_and_tangent(ad):
    """unpack_dual returns the primal and the tangent: (1, 4) and (6, 16) for x*x at (1, 2) with tangent (3, 4)."""
    with ad.dual_level():
        dual = ad.make_dual(ad.array([1.0, 2.0]), ad.array([3.0, 4.0]))
        close((ad.primal_of(dual * dual), ad.tangent_of(dual * dual)), ([1.0, 4.0], [6.0, 16.0]))


@behaviour(MUST, torch(MAKE), torch(TUTORIAL))
def a_dual_tensor_is_a_view_of_its_primal(ad):
    """A dual tensor is a view of its primal: modifying the dual tensor in-place changes the primal."""
    x = ad.array([1.0, 2.0])
    with ad.dual_level():
        dual = ad.make_dual(x, ad.array([3.0, 4.0]))
        ad.set_item_(dual, 0, 5.0)
        close(x, [5.0, 2.0])
        equal(ad.shares_memory(dual, x), True)


@behaviour(
    MUST,
    torch(MAKE),
    torch(TUTORIAL),
    cases={
        "as_the_primal": (lambda ad: ad.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), True),
        "transposed": (lambda ad: ad.view_by(ad.array([[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]]), "t"), False),
    },
)
def a_tangent_of_the_same_layout_is_kept(ad, make, kept):
    """make_dual uses the tangent without a copy if it has the primal's strides, and else a copy with these strides."""
    tangent = make(ad)
    with ad.dual_level():
        dual = ad.make_dual(ad.np.zeros((2, 3)), tangent)
        equal(ad.shares_memory(ad.tangent_of(dual), tangent), kept)
        equal(ad.strides_of(ad.tangent_of(dual)), (3, 1))
        close(ad.tangent_of(dual), [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])


@behaviour(MUST, torch(TUTORIAL))
def an_operand_that_is_not_dual_has_a_zero_tangent(ad):
    """An operand that is not dual has a tangent of zero: with a tangent of 3 for x alone, x*y has the tangent 3y."""
    with ad.dual_level():
        dual = ad.make_dual(ad.array(2.0), ad.array(3.0))
        close(ad.tangent_of(dual * ad.array(7.0)), 21.0)


@behaviour(
    MUST,
    torch(UNPACK),
    cases={"primal": (lambda ad, dual: ad.primal_of(dual),), "tangent": (lambda ad, dual: ad.tangent_of(dual),)},
)
def unpacked_primal_and_tangent_are_not_dual(ad, part):
    """Neither the primal nor the tangent that unpack_dual returns is a dual tensor."""
    with ad.dual_level():
        dual = ad.make_dual(ad.array(2.0), ad.array(3.0))
        equal(ad.tangent_of(part(ad, dual)), None)


def _nested(ad):
    with ad.dual_level(), ad.dual_level():
        pass


@behaviour(
    MUST,
    torch(LEVEL, raises=Exception, says="nested forward mode"),
    aliases=("nested forward mode ad is not supported",),
)
def dual_levels_do_not_nest(ad):
    """Entering a dual_level inside another dual_level raises an error."""
    raises(lambda: _nested(ad))


@behaviour(MAY, torch(TUTORIAL))
def unpack_dual_works_outside_a_level(ad):
    """unpack_dual can be called after the dual_level has ended: it returns the primal, and None as the tangent."""
    with ad.dual_level():
        output = ad.make_dual(ad.array(3.0), ad.array(1.0)) ** 2
    close(ad.primal_of(output), 9.0)
    equal(ad.tangent_of(output), None)


@behaviour(
    MAY,
    torch(MAKE, raises=Exception, says="floating point", unstated="only the message of the error states it"),
    cases={"primal": (2, 1.0), "tangent": (2.0, 1)},
)
def integers_cannot_be_made_dual(ad, primal, tangent):
    """make_dual raises an error for an integer primal and for an integer tangent."""
    with ad.dual_level():
        raises(lambda: ad.make_dual(ad.array(primal), ad.array(tangent)))


@behaviour(
    SHOULD,
    torch(TUTORIAL, raises=Exception, says="different size"),
    cases={"fewer": ([1.0],), "more": ([1.0, 2.0, 3.0],), "a_row": ([[1.0, 2.0]],)},
    aliases=("forward gradient that has a different size",),
)
def a_tangent_has_the_shape_of_its_primal(ad, tangent):
    """make_dual raises an error for a tangent whose shape is not the primal's, also where it could be broadcast."""
    with ad.dual_level():
        raises(lambda: ad.make_dual(ad.array([1.0, 2.0]), ad.array(tangent)))


@behaviour(
    MAY,
    torch(MAKE, raises=Exception, says="at the same level", unstated="only the message of the error states it"),
    cases={
        "primal": (lambda ad, x, dual: ad.make_dual(dual, x),),
        "tangent": (lambda ad, x, dual: ad.make_dual(x, dual),),
    },
)
def a_dual_tensor_cannot_be_made_dual_again(ad, again):
    """make_dual raises an error if the primal or the tangent is already a dual tensor of this level."""
    x = ad.array(3.0)
    with ad.dual_level():
        dual = ad.make_dual(x, ad.array(1.0))
        raises(lambda: again(ad, x, dual))


@behaviour(MUST, torch("torch.Tensor.detach"), jax("jax.lax.stop_gradient"))
def detaching_drops_the_tangent(ad):
    """detach() and stop_gradient drop the tangent: the JVP of x*detach(x) at 3 with tangent 10 is 30, not 60."""
    _, tangent = ad.jvp(lambda x: x * ad.detach(x), (ad.array(3.0),), (ad.array(10.0),))
    close(tangent, 30.0)


@behaviour(MUST, torch(MAKE), jax("jax.jvp"), torch_func("torch.func.jvp"))
def cloning_keeps_the_tangent(ad):
    """A copy (clone) keeps the tangent: the JVP of x*clone(x) at 3 with tangent 10 is 60."""
    _, tangent = ad.jvp(lambda x: x * ad.clone(x), (ad.array(3.0),), (ad.array(10.0),))
    close(tangent, 60.0)


def _assigned(ad, dual):
    target = ad.np.zeros((3,))
    ad.set_item_(target, 0, dual[1])
    return target


@behaviour(
    MUST,
    torch(MAKE),
    cases={
        "read": (lambda ad, dual: dual[1], 4.0),
        "written": (_assigned, [4.0, 0.0, 0.0]),
    },
)
def views_carry_tangents(ad, derive, expected):
    """Indexing a dual tensor also indexes its tangent, and assigning an element, y[0] = x[1], assigns its tangent."""
    with ad.dual_level():
        dual = ad.make_dual(ad.array([1.0, 2.0]), ad.array([3.0, 4.0]))
        close(ad.tangent_of(derive(ad, dual)), expected)


@behaviour(
    MAY,
    torch(UNPACK, unstated="the page has the tangent as it is, and nothing on integers; JAX has float0 there"),
    cases={"comparison": (lambda ad, x: x > 1.0,), "argmax": (lambda ad, x: ad.np.argmax(x),)},
)
def an_integer_output_has_no_tangent(ad, of):
    """A boolean or integer output computed from a dual tensor (a comparison, argmax) has the tangent None, not zero."""
    with ad.dual_level():
        dual = ad.make_dual(ad.array([1.0, 2.0]), ad.array([3.0, 4.0]))
        equal(ad.tangent_of(of(ad, dual)), None)


@behaviour(MUST, torch(MAKE), jax("jax.jvp"), torch_func("torch.func.jvp"))
def round_has_a_zero_tangent(ad):
    """Between its jumps round() has a tangent of zero: the JVP of x + round(x) at 3.2 with tangent 10 is 10."""
    _, tangent = ad.jvp(lambda x: x + ad.np.round(x), (ad.array(3.2),), (ad.array(10.0),))
    close(tangent, 10.0)
