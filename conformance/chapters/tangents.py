"""Tangents: the structure, shape and dtype of the tangents that jvp takes and returns."""

from conformance.behaviour import MAY, MUST, SHOULD, behaviour, jax, torch, torch_func
from conformance.expect import close, equal, one_of, raises


@behaviour(
    MUST,
    jax("jacobian-vector-products", "Jacobian-Vector products (JVPs, a.k.a. forward-mode autodiff)"),
    torch_func("torch.func.jvp"),
    torch("torch.autograd.forward_ad.make_dual"),
    aliases=("pushforward", "directional derivative"),
)
def a_jvp_is_linear_in_the_tangent(ad):
    """A JVP is linear in the tangent: for (5, -3) it is 5 times that for (1, 0) minus 3 times that for (0, 1)."""

    def pushed_forward(tangent):
        point = ad.array([1.0, 2.0])
        return ad.jvp(lambda x: ad.np.stack([x[0] * x[1], x[0] * x[0]]), (point,), (ad.array(tangent),))[1]

    close(pushed_forward([1.0, 0.0]), [2.0, 2.0])
    close(pushed_forward([0.0, 1.0]), [1.0, 0.0])
    close(pushed_forward([5.0, -3.0]), [7.0, 10.0])


@behaviour(
    SHOULD,
    jax("jax.jvp", raises=Exception, says="tuples or lists"),
    aliases=("primal and tangent arguments must be tuples or lists",),
)
def jvp_takes_tuples_of_primals_and_tangents(ad):
    """jax.jvp with a bare primal and tangent, not in a tuple or list, raises an error."""
    x = ad.array(3.0)
    raises(lambda: ad.jvp(ad.np.sin, x, x))


@behaviour(
    SHOULD,
    jax("jax.jvp", raises=Exception, says="same tree structure"),
    torch_func("torch.func.jvp", raises=Exception, says="same python structure"),
    cases={"too_many": (lambda t: ((t,), t),), "a_list": (lambda t: ([t],),), "bare": (lambda t: (t,),)},
    aliases=("same tree structure",),
)
def tangents_have_the_structure_of_the_primals(ad, tangents):
    """jvp raises an error if tangents and primals differ in structure, such as a list or an array for a tuple."""
    x, t = ad.array(3.0), ad.array(1.0)
    raises(lambda: ad.jvp(lambda p: p[0] * p[0], ((x,),), tangents(t)))


@behaviour(
    SHOULD,
    jax("jax.jvp", raises=Exception, says="different primal and tangent shapes"),
    torch_func("torch.func.jvp", raises=Exception, says="different size"),
    aliases=("primal and tangent shapes",),
)
def a_tangent_has_the_shape_of_its_primal(ad):
    """jvp raises an error for a scalar tangent of a vector primal: tangents are not broadcast."""
    raises(lambda: ad.jvp(lambda x: x * x, (ad.array([1.0, 2.0]),), (ad.array(1.0),)))


@behaviour(
    MAY,
    jax("jax.jvp", raises=Exception, says="dtypes must be equal", unstated="only the message of the error states it"),
    aliases=("primal dtype tangent dtype must be equal",),
)
def a_tangent_of_another_precision(ad):
    """jvp raises an error for a float32 tangent of a float64 primal."""
    raises(lambda: ad.jvp(lambda x: x * x, (ad.array(3.0, "float64"),), (ad.array(1.0, "float32"),)))


@behaviour(MUST, torch("autograd", "torch.autograd", raises=Exception, says="floating point"))
def an_integer_tangent_raises_an_error(ad):
    """jvp of an integer primal with an integer tangent raises an error."""
    raises(lambda: ad.jvp(lambda x: 2 * x, (ad.array(2),), (ad.array(1),)))


@behaviour(
    MUST,
    jax(
        "jax.jvp",
        unstated="the page does not mention integers; float0 is documented for gradients (jax.grad, allow_int)",
    ),
    jax("hijax_types", "Example: quantized arrays", since="0.11"),
)
def an_integer_primal_takes_a_float0_tangent(ad):
    """For an integer primal jvp takes a float0 tangent, which holds no numbers; an integer output has one as well."""
    empty = ad.empty_cotangent(())
    output, tangent = ad.jvp(lambda x: 2 * x, (ad.array(2),), (empty,))
    close(output, 4)
    equal(ad.dtype_of(tangent), ad.dtype_of(empty))


@behaviour(
    MUST,
    jax(
        "jax.jvp",
        unstated="the page does not mention integers; float0 is documented for gradients (jax.grad, allow_int)",
    ),
    jax("hijax_types", "Example: quantized arrays", since="0.11"),
    aliases=("float0",),
)
def an_integer_output_has_a_float0_tangent(ad):
    """The tangent of an output that was cast to an integer dtype is float0: it holds no numbers."""
    empty = ad.empty_cotangent(())
    _, tangent = ad.jvp(lambda x: ad.cast(x, "int32"), (ad.array(3.0),), (ad.array(1.0),))
    equal(ad.dtype_of(tangent), ad.dtype_of(empty))


@behaviour(MUST, jax("jax.jvp"), torch_func("torch.func.jvp"), aliases=("jvp has_aux",))
def auxiliary_output_has_no_tangent(ad):
    """jvp with `has_aux` returns output, tangent and auxiliary output, which is not differentiated."""
    close(
        ad.jvp(lambda x: (x**2, 5 * x), (ad.array(3.0),), (ad.array(2.0),), has_aux=True),
        (9.0, 12.0, 15.0),
    )


@behaviour(
    MUST,
    zeros=(jax("jax.jvp"), torch_func("torch.func.jvp")),
    none=torch("tutorials/forward_ad_usage"),
    aliases=("tangent none vs zeros",),
)
def the_tangent_of_an_independent_output(ad):
    """The tangent of an output that does not depend on the input is zeros of the output's shape, or None."""
    _, tangent = ad.jvp(lambda x: ad.np.zeros((2,)) + 1, (ad.array(3.0),), (ad.array(1.0),))
    return one_of(tangent, zeros=[0.0, 0.0], none=None)
