"""Jacobians: jacrev, jacfwd and hessian, their shapes, and containers, argnums, has_aux and complex numbers."""

from conformance.behaviour import MAY, MUST, behaviour, jax, torch, torch_func
from conformance.expect import close, equal, raises

JACOBIANS = "Jacobians and Hessians using jax.jacfwd and jax.jacrev"
AT_ONCE = "The implementation of jacfwd and jacrev"
BOTH_MODES = {"reverse": (lambda ad, f: ad.jacobian(f),), "forward": (lambda ad, f: ad.jacfwd(f),)}


@behaviour(
    MUST,
    torch("torch.autograd.functional.jacobian"),
    jax("jax.jacfwd"),
    torch_func("torch.func.jacfwd"),
    aliases=("jacfwd vs jacrev",),
)
def forward_mode_gives_the_jacobian(ad):
    """The forward-mode Jacobian of (x₀x₁, x₀²) at (1, 2) is [[2, 1], [2, 0]]."""
    jacobian = ad.jacfwd(lambda x: ad.np.stack([x[0] * x[1], x[0] * x[0]]))
    close(jacobian(ad.array([1.0, 2.0])), [[2.0, 1.0], [2.0, 0.0]])


@behaviour(
    MUST,
    torch("torch.autograd.functional.jacobian"),
    jax("autodiff_cookbook", JACOBIANS),
    torch_func("torch.func.jacrev"),
    torch_func("torch.func.jacfwd"),
    aliases=("jacobian shape",),
)
def a_jacobian_has_the_output_dimensions_first(ad):
    """A Jacobian has the output's shape followed by the input's: (3, 1, 2) for shapes (3,) and (1, 2)."""
    x, scale = ad.array([[1.0, 2.0]]), ad.array([2.0, 3.0, 5.0])
    expected = [[[0.0, 2.0]], [[0.0, 3.0]], [[0.0, 5.0]]]
    close(ad.jacobian(lambda x: scale * x[0, 1])(x), expected)
    close(ad.jacfwd(lambda x: scale * x[0, 1])(x), expected)


@behaviour(
    MUST,
    torch("torch.autograd.functional.jacobian"),
    jax("autodiff_cookbook", "JVPs in JAX code"),
    torch_func("torch.func.jacrev"),
    torch_func("torch.func.jacfwd"),
)
def the_jacobian_of_a_scalar_is_the_gradient(ad):
    """The Jacobian of a function with a scalar output is its gradient: for x₀² + x₁² at (1, 2) it is (2, 4)."""
    x = ad.array([1.0, 2.0])
    close(ad.jacobian(lambda x: ad.np.sum(x * x))(x), [2.0, 4.0])
    close(ad.jacfwd(lambda x: ad.np.sum(x * x))(x), [2.0, 4.0])


@behaviour(
    MUST,
    jax("custom_pytrees", "Custom pytrees and initialization with unexpected values"),
    cases=BOTH_MODES,
    aliases=("jacobian of dict",),
)
def a_jacobian_has_the_output_containers_outside(ad, transform):
    """The Jacobian of a function from container to container (pytrees) is a tree of trees: the output's structure
    outside, the input's inside."""
    jacobian = transform(ad, lambda x: {"product": x["a"] * x["b"], "sum": x["a"] + ad.np.sum(x["b"])})
    expected = {"product": {"a": [3.0, 5.0], "b": [[2.0, 0.0], [0.0, 2.0]]}, "sum": {"a": 1.0, "b": [1.0, 1.0]}}
    close(jacobian({"a": ad.array(2.0), "b": ad.array([3.0, 5.0])}), expected)


@behaviour(
    MUST,
    jax("jax.jacfwd"),
    jax("jax.jacrev"),
    torch_func("torch.func.jacfwd"),
    torch_func("torch.func.jacrev"),
    cases={
        "in_order": ((0, 1), ([30.0, 40.0], 25.0)),
        "swapped": ((1, 0), (25.0, [30.0, 40.0])),
        "single": ((0,), ([30.0, 40.0],)),
    },
)
def several_argnums_give_a_tuple_of_jacobians(ad, argnums, expected):
    """A Jacobian with a tuple of `argnums` is with respect to these arguments: for (x₀² + x₁²)y at (3, 4) and 5 it is
    ((30, 40), 25)."""
    x, y = ad.array([3.0, 4.0]), ad.array(5.0)
    close(ad.jacobian(lambda x, y: ad.np.sum(x * x) * y, argnums=argnums)(x, y), expected)
    close(ad.jacfwd(lambda x, y: ad.np.sum(x * x) * y, argnums=argnums)(x, y), expected)


@behaviour(MUST, jax("jax.jacfwd"), jax("jax.jacrev"), torch_func("torch.func.jacfwd"), torch_func("torch.func.jacrev"))
def has_aux_returns_jacobian_and_auxiliary_output(ad):
    """A Jacobian with `has_aux` returns the pair of Jacobian and auxiliary output."""
    x = ad.array(3.0)
    close(ad.jacobian(lambda x: (x * x, 5 * x), has_aux=True)(x), (6.0, 15.0))
    close(ad.jacfwd(lambda x: (x * x, 5 * x), has_aux=True)(x), (6.0, 15.0))


@behaviour(
    MUST,
    torch("torch.autograd.functional.jacobian"),
    jax("jax.jacrev"),
    jax("jax.jacfwd"),
    torch_func("torch.func.jacrev"),
    torch_func("torch.func.jacfwd"),
    cases=BOTH_MODES,
)
def a_constant_has_a_jacobian_of_zeros(ad, transform):
    """By default, the Jacobian of an output that does not depend on the input is zeros."""
    jacobian = transform(ad, lambda x: ad.array([7.0, 8.0, 9.0]))
    close(jacobian(ad.array([1.0, 2.0])), [[0.0, 0.0], [0.0, 0.0], [0.0, 0.0]])


@behaviour(
    MUST,
    torch("autograd", "torch.autograd", raises=Exception, says="floating point"),
)
def a_forward_jacobian_of_an_integer_raises_an_error(ad):
    """The forward-mode Jacobian with respect to an integer input raises an error."""
    jacobian = ad.jacfwd(lambda x: 1.0 * x)
    raises(lambda: jacobian(ad.array(3)))


@behaviour(
    MAY,
    jax("jax.jacfwd", raises=Exception, says="real-valued inputs", unstated="only the message of the error states it"),
)
def a_forward_jacobian_of_a_complex_input_raises_an_error(ad):
    """The forward-mode Jacobian with respect to a complex input raises an error without `holomorphic=True`."""
    jacobian = ad.jacfwd(lambda z: z * z)
    raises(lambda: jacobian(ad.array(1 + 2j)))


@behaviour(
    MAY,
    jax("jax.jacrev", raises=Exception, says="real-valued outputs", unstated="only the message of the error states it"),
    aliases=("holomorphic=true",),
)
def a_reverse_jacobian_of_a_complex_output_raises_an_error(ad):
    """The reverse-mode Jacobian of a complex output raises an error without `holomorphic=True`."""
    jacobian = ad.jacobian(lambda x: x * (1 + 2j))
    raises(lambda: jacobian(ad.array(3.0)))


@behaviour(MUST, jax("jax.hessian"), aliases=("hessian of vector output",))
def a_hessian_of_several_outputs(ad):
    """The Hessian of a vector output has the shape of the output followed by that of the input twice."""
    hessian = ad.hessian(lambda x: ad.np.stack([x[0] * x[0], 3 * x[0] * x[1], 5 * x[1] * x[1]]))
    expected = [[[2.0, 0.0], [0.0, 0.0]], [[0.0, 3.0], [3.0, 0.0]], [[0.0, 0.0], [0.0, 10.0]]]
    close(hessian(ad.array([1.0, 2.0])), expected)


@behaviour(MUST, jax("jax.hessian"))
def a_hessian_nests_containers_twice(ad):
    """The Hessian of a scalar output with respect to a container (a pytree) has its structure twice, nested."""
    hessian = ad.hessian(lambda x: x["a"] * x["b"] ** 2)
    expected = {"a": {"a": 0.0, "b": 6.0}, "b": {"a": 6.0, "b": 4.0}}
    close(hessian({"a": ad.array(2.0), "b": ad.array(3.0)}), expected)


@behaviour(MUST, jax("jax.hessian"))
def a_hessian_of_several_arguments_has_blocks(ad):
    """A Hessian with `argnums=(0, 1)` has 2 x 2 blocks: for shapes (2,) and (1,), block [0][1] has shape (2, 1)."""
    hessian = ad.hessian(lambda x, y: x[0] ** 2 * x[1] * y[0], argnums=(0, 1))
    expected = (([[30.0, 20.0], [20.0, 0.0]], [[12.0], [4.0]]), ([[12.0, 4.0]], [[0.0]]))
    close(hessian(ad.array([2.0, 3.0]), ad.array([5.0])), expected)


@behaviour(
    MUST,
    torch("torch.autograd.functional.jacobian"),
    jax("autodiff_cookbook", JACOBIANS),
    torch_func("torch.func.hessian"),
    cases={
        "forward_over_reverse": (lambda ad, f: ad.jacfwd(ad.jacobian(f)),),
        "reverse_over_forward": (lambda ad, f: ad.jacobian(ad.jacfwd(f)),),
        "reverse_over_reverse": (lambda ad, f: ad.jacobian(ad.jacobian(f)),),
    },
    aliases=("forward-over-reverse", "jacobian of jacobian zeros"),
)
def a_jacobian_of_a_jacobian_is_the_hessian(ad, compose):
    """jacfwd of jacrev, jacrev of jacfwd, jacrev of jacrev give the Hessian: [[4, 2], [2, 0]] for x₀²x₁ at (1, 2)."""
    hessian = compose(ad, lambda x: x[0] ** 2 * x[1])
    close(hessian(ad.array([1.0, 2.0])), [[4.0, 2.0], [2.0, 0.0]])


@behaviour(MUST, jax("autodiff_cookbook", JACOBIANS), torch_func("torch.func.hessian"))
def a_forward_jacobian_of_a_forward_jacobian_is_the_hessian(ad):
    """jacfwd of jacfwd gives the Hessian: for x₀²x₁ at (1, 2) it is [[4, 2], [2, 0]]."""
    hessian = ad.jacfwd(ad.jacfwd(lambda x: x[0] ** 2 * x[1]))
    close(hessian(ad.array([1.0, 2.0])), [[4.0, 2.0], [2.0, 0.0]])


@behaviour(MUST, jax("jax.jacobian"))
def jacobian_is_another_name_of_jacrev(ad):
    """`jax.jacobian` is an alias of `jax.jacrev`: it takes the same arguments, `argnums` and `has_aux` too, and returns
    the Jacobian."""
    x, y = ad.array([2.0, 3.0]), ad.array(5.0)
    jacobian = ad.jacobian(lambda x, y: (x * x * y, 7 * y), argnums=(1, 0), has_aux=True, alias=True)
    close(jacobian(x, y), (([4.0, 9.0], [[20.0, 0.0], [0.0, 30.0]]), 35.0))


@behaviour(MAY, jax("jax.hessian"))
def a_hessian_with_has_aux_is_of_the_first_output(ad):
    """With `has_aux`, jax.hessian differentiates the first output of its function, and returns the pair of Hessian and
    auxiliary data: 12 and 10 for (x³, 5x) at 2."""
    hessian = ad.hessian(lambda x: (x**3, {"a": 5 * x}), has_aux=True)
    close(hessian(ad.array(2.0)), (12.0, {"a": 10.0}))


@behaviour(MAY, jax("autodiff_cookbook", AT_ONCE), cases=BOTH_MODES)
def a_jacobian_calls_its_function_once(ad, transform):
    """A Jacobian pushes forward or pulls back a whole basis at once: it calls the Python function once, not once for
    each row or column."""
    calls = []
    jacobian = transform(ad, lambda x: calls.append("program") or x * x[0])
    close(jacobian(ad.array([2.0, 3.0, 5.0])), [[4.0, 0.0, 0.0], [3.0, 2.0, 0.0], [5.0, 0.0, 2.0]])
    equal(calls, ["program"])


@behaviour(
    MUST,
    jax("jax.jacrev", raises=Exception, says="real- or complex-valued inputs"),
    torch("autograd", "torch.autograd", raises=Exception, says="floating point"),
)
def a_reverse_jacobian_of_an_integer_raises_an_error(ad):
    """By default, the reverse-mode Jacobian with respect to an integer input raises an error."""
    jacobian = ad.jacobian(lambda x: 1.5 * x)
    raises(lambda: jacobian(ad.array(3)))


@behaviour(MUST, jax("jax.jacrev"))
def a_jacobian_with_allow_int_is_float0(ad):
    """With allow_int=True the reverse-mode Jacobian with respect to an integer input has the dtype float0."""
    jacobian = ad.jacobian(lambda i: 1.5 * i, allow_int=True)
    equal(ad.dtype_of(jacobian(ad.array([3, 4]))), "float0")


def _products(ad, z):
    return ad.np.stack([z[0] * z[1], z[0] * z[0]])


@behaviour(
    MUST,
    jax("jax.jacrev"),
    jax("jax.jacfwd"),
    jax("autodiff_cookbook", "Complex numbers and differentiation"),
    cases={
        "reverse": (lambda ad, f: ad.jacobian(f, holomorphic=True),),
        "forward": (lambda ad, f: ad.jacfwd(f, holomorphic=True),),
    },
)
def a_holomorphic_jacobian_holds_complex_derivatives(ad, transform):
    """With `holomorphic=True` the Jacobian of a holomorphic function, by either mode, holds its complex derivatives:
    for (z₀z₁, z₀²) at (1 + 2i, 3i) it is [[3i, 1 + 2i], [2 + 4i, 0]]."""
    jacobian = transform(ad, lambda z: _products(ad, z))
    close(jacobian(ad.array([1 + 2j, 3j])), [[3j, 1 + 2j], [2 + 4j, 0j]])


@behaviour(MUST, jax("jax.hessian"), jax("autodiff_cookbook", "Complex numbers and differentiation"))
def a_holomorphic_hessian_holds_complex_derivatives(ad):
    """With `holomorphic=True` the Hessian of a holomorphic function holds its second complex derivatives: for z₀²z₁ at
    (1 + 2i, 3i) it is [[6i, 2 + 4i], [2 + 4i, 0]]."""
    hessian = ad.hessian(lambda z: z[0] * z[0] * z[1], holomorphic=True)
    close(hessian(ad.array([1 + 2j, 3j])), [[6j, 2 + 4j], [2 + 4j, 0j]])


@behaviour(
    MUST,
    torch_func("torch.func.jacfwd", raises=Exception, says="random operation"),
    torch_func("torch.func.vmap", raises=Exception, says="random operation"),
)
def a_random_operation_under_jacfwd_raises_an_error(ad):
    """By default, jacfwd raises an error for a random operation in the function: its `randomness`, like that of vmap,
    is "error"."""
    raises(lambda: ad.jacfwd(lambda x: x * ad.draw((2,)))(ad.array([1.0, 2.0])))
