"""Forward mode: tangents that travel with the values."""

from conformance.behaviour import MAY, MUST, behaviour, document, hips, jax, torch, torch_func
from conformance.expect import close, equal, raises


@behaviour(
    MUST,
    torch("autograd", "Forward-mode Automatic Differentiation"),
    jax("jax.jvp"),
    torch_func("torch.func.jvp"),
    document("004"),
    hips("updateguide", "Reasoning for the changes"),
)
def a_tangent_is_pushed_forward(ad):
    """Forward mode gives the value and its derivative along the tangent: x y at (2, 3) along (1, 10) is 6 and 23."""
    outputs = ad.jvp(lambda x, y: x * y, (ad.array(2.0), ad.array(3.0)), (ad.array(1.0), ad.array(10.0)))
    close(outputs, (6.0, 23.0))


@behaviour(MUST, torch("torch.autograd.forward_ad.make_dual"), document("004"))
def a_dual_array_carries_its_tangent(ad):
    """Operations on a dual array compute the tangent of the result beside its value."""
    with ad.dual_level():
        dual = ad.make_dual(ad.array(3.0), ad.array(1.0))
        close(ad.tangent_of(dual * dual), 6.0)


@behaviour(MUST, torch("torch.autograd.forward_ad.make_dual"))
def a_dual_value_is_recorded_too(ad):
    """Backward from a result computed on a dual array reaches the leaf that the dual array was made of."""
    x = ad.leaf(3.0)
    with ad.dual_level():
        ad.backward(ad.make_dual(x, ad.array(1.0)) ** 2)
    close(ad.gradient_of(x), 6.0)


@behaviour(MAY, torch("torch.autograd.forward_ad.make_dual"))
def the_gradient_of_a_dual_array_has_a_tangent(ad):
    """A gradient computed on a dual array carries the derivative of the gradient: of x^3 at 3 it is 18."""
    with ad.dual_level():
        dual = ad.make_dual(ad.leaf(3.0), ad.array(1.0))
        (gradient,) = ad.grad_of(dual**3, dual, create_graph=True)
        close(ad.tangent_of(gradient), 18.0)


@behaviour(MUST, torch("torch.autograd.forward_ad.unpack_dual"))
def a_plain_array_has_no_tangent(ad):
    """An array that is not dual has no tangent: None, and not zero."""
    with ad.dual_level():
        equal(ad.tangent_of(ad.array(3.0)), None)


@behaviour(MUST, torch("torch.autograd.forward_ad.dual_level"), document("004"))
def a_tangent_ends_with_its_level(ad):
    """When the level ends, the dual arrays made in it lose their tangents."""
    with ad.dual_level():
        dual = ad.make_dual(ad.array(3.0), ad.array(1.0))
    with ad.dual_level():
        equal(ad.tangent_of(dual), None)


@behaviour(
    MUST,
    torch("torch.autograd.forward_ad.dual_level", raises=RuntimeError, says="no level exists"),
)
def a_dual_array_needs_a_level(ad):
    """Outside every level no dual array can be made."""
    x = ad.array(3.0)
    raises(lambda: ad.make_dual(x, x))


@behaviour(MUST, torch("torch.autograd.forward_ad.unpack_dual"))
def dual_arrays_are_taken_apart(ad):
    """A dual array gives back its primal and its tangent: the square at (1, 2) along (3, 4) has (1, 4) and (6, 16)."""
    with ad.dual_level():
        dual = ad.make_dual(ad.array([1.0, 2.0]), ad.array([3.0, 4.0]))
        close((ad.primal_of(dual * dual), ad.tangent_of(dual * dual)), ([1.0, 4.0], [6.0, 16.0]))


@behaviour(MUST, torch("torch.autograd.forward_ad.make_dual"))
def a_dual_array_is_a_view_of_its_primal(ad):
    """A dual array has no numbers of its own: what is written into it stands in its primal."""
    x = ad.array([1.0, 2.0])
    with ad.dual_level():
        dual = ad.make_dual(x, ad.array([3.0, 4.0]))
        ad.set_item_(dual, 0, 5.0)
        close(x, [5.0, 2.0])
        equal(ad.shares_memory(dual, x), True)


@behaviour(
    MUST,
    torch("torch.autograd.forward_ad.make_dual"),
    cases={
        "as_the_primal": (lambda ad: ad.np.zeros((2, 3)), True),
        "transposed": (lambda ad: ad.view_by(ad.np.zeros((3, 2)), "t"), False),
    },
)
def a_tangent_of_the_same_layout_is_kept(ad, make, kept):
    """A tangent with the strides of its primal is kept without a copy; any other is copied into these strides."""
    tangent = make(ad)
    with ad.dual_level():
        dual = ad.make_dual(ad.np.zeros((2, 3)), tangent)
        equal(ad.shares_memory(ad.tangent_of(dual), tangent), kept)
        equal(ad.strides_of(ad.tangent_of(dual)), (3, 1))


@behaviour(MUST, torch("torch.autograd.forward_ad.make_dual"))
def a_plain_operand_counts_as_tangent_zero(ad):
    """A plain array beside a dual one counts as a constant: x y at (2, 7) with tangent 3 for x alone has 21."""
    with ad.dual_level():
        dual = ad.make_dual(ad.array(2.0), ad.array(3.0))
        close(ad.tangent_of(dual * ad.array(7.0)), 21.0)


@behaviour(
    MUST,
    torch("torch.autograd.forward_ad.unpack_dual"),
    cases={"primal": (lambda ad, dual: ad.primal_of(dual),), "tangent": (lambda ad, dual: ad.tangent_of(dual),)},
)
def the_parts_of_a_dual_array_are_plain(ad, part):
    """Neither of the two parts that a dual array is taken apart into has a tangent itself."""
    with ad.dual_level():
        dual = ad.make_dual(ad.array(2.0), ad.array(3.0))
        equal(ad.tangent_of(part(ad, dual)), None)


def _nested(ad):
    with ad.dual_level(), ad.dual_level():
        pass


@behaviour(
    MUST,
    torch("torch.autograd.forward_ad.dual_level", raises=RuntimeError, says="Nested forward mode AD"),
)
def levels_do_not_nest(ad):
    """A level within a level is refused."""
    raises(lambda: _nested(ad))


@behaviour(MAY, torch("torch.autograd.forward_ad.unpack_dual"))
def a_plain_array_outside_a_level_has_no_tangent(ad):
    """Outside every level an array can be taken apart, too: into itself and no tangent."""
    x = ad.array(3.0)
    close(ad.primal_of(x), 3.0)
    equal(ad.tangent_of(x), None)


@behaviour(
    MAY,
    torch("torch.autograd.forward_ad.make_dual", raises=ValueError, says="floating point or complex"),
    cases={"primal": (2, 1.0), "tangent": (2.0, 1)},
)
def only_inexact_arrays_have_tangents(ad, primal, tangent):
    """No dual array is made of an integer, neither as the primal nor as the tangent."""
    with ad.dual_level():
        raises(lambda: ad.make_dual(ad.array(primal), ad.array(tangent)))


@behaviour(
    MAY,
    torch("torch.autograd.forward_ad.make_dual", raises=RuntimeError, says="different size"),
    cases={"fewer": ([1.0],), "more": ([1.0, 2.0, 3.0],), "a_row": ([[1.0, 2.0]],)},
)
def a_tangent_has_the_shape_of_its_primal(ad, tangent):
    """No dual array is made of a vector of two and a tangent of another shape."""
    with ad.dual_level():
        raises(lambda: ad.make_dual(ad.array([1.0, 2.0]), ad.array(tangent)))


@behaviour(
    MAY,
    torch("torch.autograd.forward_ad.make_dual", raises=RuntimeError, says="has a forward gradient at the same level"),
    cases={
        "primal": (lambda ad, x, dual: ad.make_dual(dual, x),),
        "tangent": (lambda ad, x, dual: ad.make_dual(x, dual),),
    },
)
def a_dual_array_cannot_be_dual_again(ad, again):
    """A dual array is refused as the primal of another one of its level, and as the tangent."""
    x = ad.array(3.0)
    with ad.dual_level():
        dual = ad.make_dual(x, ad.array(1.0))
        raises(lambda: again(ad, x, dual))


@behaviour(MUST, torch("torch.Tensor.detach"), jax("jax.lax.stop_gradient"))
def detaching_drops_the_tangent(ad):
    """A detached array is a constant for forward mode, too: x times itself detached at 3 along 10 has 30."""
    _, tangent = ad.jvp(lambda x: x * ad.detach(x), (ad.array(3.0),), (ad.array(10.0),))
    close(tangent, 30.0)


@behaviour(MUST, torch("torch.clone"))
def cloning_keeps_the_tangent(ad):
    """A copy of a dual array has its tangent: x times its copy at 3 along 10 has 60."""
    _, tangent = ad.jvp(lambda x: x * ad.clone(x), (ad.array(3.0),), (ad.array(10.0),))
    close(tangent, 60.0)


def _assigned(ad, dual):
    plain = ad.np.zeros((3,))
    ad.set_item_(plain, 0, dual[1])
    return plain


@behaviour(
    MAY,
    torch("torch.autograd.forward_ad.make_dual"),
    cases={
        "read": (lambda ad, dual: dual[1], 4.0),
        "written": (_assigned, [4.0, 0.0, 0.0]),
    },
)
def views_carry_tangents(ad, derive, expected):
    """A part of a dual array has that part of its tangent, and gives it to a plain array that it is written into."""
    with ad.dual_level():
        dual = ad.make_dual(ad.array([1.0, 2.0]), ad.array([3.0, 4.0]))
        close(ad.tangent_of(derive(ad, dual)), expected)


@behaviour(
    MAY,
    torch("torch.autograd.forward_ad.unpack_dual"),
    cases={"comparison": (lambda ad, x: x > 1.0,), "place_of_the_largest": (lambda ad, x: ad.np.argmax(x),)},
)
def an_integer_result_has_no_tangent(ad, of):
    """A truth value or an index computed from a dual array has no tangent, not even zero."""
    with ad.dual_level():
        dual = ad.make_dual(ad.array([1.0, 2.0]), ad.array([3.0, 4.0]))
        equal(ad.tangent_of(of(ad, dual)), None)


@behaviour(MUST, torch("torch.autograd.forward_ad.make_dual"), jax("jax.jvp"), torch_func("torch.func.jvp"))
def a_rounded_number_has_tangent_zero(ad):
    """A number rounded to a whole one, which is still a float, has a tangent of zero: x + round(x) along 10 has 10."""
    _, tangent = ad.jvp(lambda x: x + ad.np.round(x), (ad.array(3.2),), (ad.array(10.0),))
    close(tangent, 10.0)


@behaviour(
    MUST,
    torch("torch.autograd.forward_ad.make_dual"),
    jax("jax.jvp"),
    torch_func("torch.func.jvp"),
    cases={"primal": (0, 4.0), "tangent": (1, 6.0)},
)
def a_tangent_can_be_differentiated_in_reverse(ad, argument, expected):
    """The tangent of x^2 at 3 along 2, which is 2 x t, has the gradient 4 for the primal and 6 for the tangent."""
    tangent = ad.grad(lambda x, t: ad.jvp(lambda x: x * x, (x,), (t,))[1], argnums=argument)
    close(tangent(ad.array(3.0), ad.array(2.0)), expected)


@behaviour(MUST, torch_func("torch.func.hessian"), jax("jax.jvp"), hips("README"))
def a_gradient_can_be_pushed_forward(ad):
    """A gradient has a tangent: that of x^3 at 3 along 5 has 90, its second derivative times 5."""
    _, tangent = ad.jvp(ad.grad(lambda x: x**3), (ad.array(3.0),), (ad.array(5.0),))
    close(tangent, 90.0)


def _two_of_three(ad):
    return lambda x: ad.np.stack([x[0] * x[1], x[0] + x[2] * x[2]])


@behaviour(
    MUST,
    torch("autograd", "Forward-mode Automatic Differentiation"),
    jax("autodiff_cookbook", "Jacobian-Matrix and Matrix-Jacobian products"),
    torch_func("torch.func.jvp"),
)
def forward_and_reverse_agree(ad):
    """The cotangent times the jvp equals the vjp times the tangent: 11 + 10 * 17 = 5 * 12 + 1 * 1 + 2 * 60."""
    x, along, program = ad.array([1.0, 2.0, 3.0]), ad.array([5.0, 1.0, 2.0]), _two_of_three(ad)
    _, tangent = ad.jvp(program, (x,), (along,))
    _, pullback = ad.vjp(program, x)
    (cotangent,) = pullback(ad.array([1.0, 10.0]))
    close(ad.np.sum(ad.array([1.0, 10.0]) * tangent), 181.0)
    close(ad.np.sum(cotangent * along), 181.0)
