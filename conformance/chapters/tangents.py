"""Tangents: what forward mode takes beside the primals, and gives beside the value."""

from conformance.behaviour import MUST, behaviour, jax, torch, torch_func
from conformance.expect import close, equal, one_of, raises


@behaviour(
    MUST,
    jax("jacobian-vector-products", "Jacobian-Vector products (JVPs, a.k.a. forward-mode autodiff)"),
    torch_func("torch.func.jvp"),
    torch("autograd", "Forward-mode Automatic Differentiation"),
)
def a_tangent_travels_linearly(ad):
    """A jvp is linear in the tangent: (5, -3) gives 5 times what (1, 0) gives, minus 3 times what (0, 1) gives."""

    def pushed_forward(tangent):
        point = ad.array([1.0, 2.0])
        return ad.jvp(lambda x: ad.np.stack([x[0] * x[1], x[0] * x[0]]), (point,), (ad.array(tangent),))[1]

    close(pushed_forward([1.0, 0.0]), [2.0, 2.0])
    close(pushed_forward([0.0, 1.0]), [1.0, 0.0])
    close(pushed_forward([5.0, -3.0]), [7.0, 10.0])


@behaviour(
    MUST,
    jax("jax.jvp", raises=TypeError, says="tuples or lists"),
    torch_func("torch.func.jvp", raises=RuntimeError, says="to be a tuple"),
)
def primals_and_tangents_come_as_tuples(ad):
    """A primal and a tangent that stand in no tuple are refused."""
    x = ad.array(3.0)
    raises(lambda: ad.jvp(ad.np.sin, x, x))


@behaviour(
    MUST,
    jax("jax.jvp", raises=TypeError, says="same tree structure"),
    torch_func("torch.func.jvp", raises=RuntimeError, says="same python structure"),
    cases={"too_many": (lambda t: ((t,), t),), "a_list": (lambda t: ([t],),), "bare": (lambda t: (t,),)},
)
def tangents_have_the_structure_of_the_primals(ad, tangents):
    """For a primal that is a tuple, two tangents are refused, and a tangent that is a list or a bare array."""
    x, t = ad.array(3.0), ad.array(1.0)
    raises(lambda: ad.jvp(lambda p: p[0] * p[0], ((x,),), tangents(t)))


@behaviour(
    MUST,
    jax("jax.jvp", raises=ValueError, says="different primal and tangent shapes"),
    torch_func("torch.func.jvp", raises=RuntimeError, says="different size"),
    torch("torch.autograd.forward_ad.make_dual", raises=RuntimeError, says="different size"),
)
def a_tangent_has_the_shape_of_its_primal(ad):
    """A tangent without dimensions is refused for a vector, although it could be broadcast."""
    raises(lambda: ad.jvp(lambda x: x * x, (ad.array([1.0, 2.0]),), (ad.array(1.0),)))


@behaviour(MUST, jax("jax.jvp", raises=TypeError, says="dtypes must be equal"))
def a_tangent_of_another_precision(ad):
    """A tangent in single precision is refused for a primal in double precision."""
    raises(lambda: ad.jvp(lambda x: x * x, (ad.array(3.0, "float64"),), (ad.array(1.0, "float32"),)))


@behaviour(
    MUST,
    jax("jax.jvp", raises=TypeError, says="float0"),
    torch_func("torch.func.jvp", raises=ValueError, says="floating point or complex"),
)
def an_integer_tangent_is_refused(ad):
    """An integer primal with an integer tangent is refused."""
    raises(lambda: ad.jvp(lambda x: 2 * x, (ad.array(2),), (ad.array(1),)))


@behaviour(MUST, jax("jax.jvp"))
def an_integer_takes_an_empty_tangent(ad):
    """An integer primal takes a tangent that holds no numbers, and its integer result has such a tangent."""
    empty = ad.empty_cotangent(())
    output, tangent = ad.jvp(lambda x: 2 * x, (ad.array(2),), (empty,))
    close(output, 4)
    equal(ad.dtype_of(tangent), ad.dtype_of(empty))


@behaviour(MUST, jax("jax.jvp"))
def an_integer_result_has_an_empty_tangent(ad):
    """The tangent of a result that was converted to an integer holds no numbers."""
    empty = ad.empty_cotangent(())
    _, tangent = ad.jvp(lambda x: ad.cast(x, "int32"), (ad.array(3.0),), (ad.array(1.0),))
    equal(ad.dtype_of(tangent), ad.dtype_of(empty))


@behaviour(MUST, jax("jax.jvp"), torch_func("torch.func.jvp"))
def auxiliary_output_has_no_tangent(ad):
    """Auxiliary output comes third, behind the output and its tangent, and has no tangent of its own."""
    close(
        ad.jvp(lambda x: (x**2, 5 * x), (ad.array(3.0),), (ad.array(2.0),), has_aux=True),
        (9.0, 12.0, 15.0),
    )


@behaviour(
    MUST,
    zeros=(jax("jax.jvp"), torch_func("torch.func.jvp")),
    none=torch("torch.autograd.forward_ad.unpack_dual"),
)
def an_output_that_ignores_the_input_has_a_zero_tangent(ad):
    """An output that does not depend on the input has zeros of its shape for a tangent, or none at all."""
    _, tangent = ad.jvp(lambda x: ad.np.zeros((2,)) + 1, (ad.array(3.0),), (ad.array(1.0),))
    return one_of(tangent, zeros=[0.0, 0.0], none=None)
