"""Gradients: values, shapes and dtypes of first derivatives in reverse mode, with worked numbers."""

from conformance.behaviour import MUST, behaviour, document, hips, jax, torch, torch_func
from conformance.expect import an_error, close, equal, one_of


@behaviour(MUST, torch("torch.autograd.grad"), jax("jax.grad"), torch_func("torch.func.grad"), document("000"))
def each_input_has_its_own_gradient(ad):
    """The gradient of x² + y with respect to both inputs at x = 1, y = 2 is 2 and 1."""
    gradients = ad.grad(lambda x, y: x**2 + y, argnums=(0, 1))
    close(gradients(ad.array(1.0), ad.array(2.0)), (2.0, 1.0))


@behaviour(MUST, torch("torch.Tensor.backward"), document("000"))
def backward_populates_each_leaf(ad):
    """backward() on z = x² + y at x = 1, y = 2 sets x.grad to 2 and y.grad to 1, and z is still 3."""
    x, y = ad.leaf(1.0), ad.leaf(2.0)
    z = x**2 + y
    ad.backward(z)
    close((z, ad.gradient_of(x), ad.gradient_of(y)), (3.0, 2.0, 1.0))


@behaviour(
    MUST,
    jax("jax.vjp"),
    torch_func("torch.func.vjp"),
    document("001"),
)
def the_value_comes_with_the_gradient(ad):
    """vjp returns the value of the function together with the pullback: 3(x + 2)² at 1 is 27."""
    output, pullback = ad.vjp(lambda x: 3 * (x + 2) * (x + 2), ad.array([[1.0, 1.0], [1.0, 1.0]]))
    close(output, [[27.0, 27.0], [27.0, 27.0]])
    close(pullback(ad.array([[1.0, 10.0], [100.0, 1000.0]])), ([[18.0, 180.0], [1800.0, 18000.0]],))


@behaviour(MUST, torch("torch.autograd.grad"), jax("jax.grad"), torch_func("torch.func.grad"), document("001"))
def the_chain_rule_runs_through_a_mean(ad):
    """The gradient of mean(3(x + 2)²) for a 2x2 array is 1.5(x + 2) in each element: 4.5 where x is 1."""
    gradient = ad.grad(lambda x: ad.np.mean(3 * (x + 2) * (x + 2)))
    close(gradient(ad.array([[1.0, 2.0], [4.0, 6.0]])), [[4.5, 6.0], [9.0, 12.0]])


@behaviour(
    MUST,
    torch("torch.autograd.grad"),
    jax("autodiff_cookbook", "Vector-Jacobian products (VJPs, aka reverse-mode autodiff)"),
    torch_func("torch.func.vjp"),
    document("001"),
    document("000"),
    aliases=("vector-jacobian product",),
)
def the_vjp_is_the_cotangent_times_the_jacobian(ad):
    """The VJP of a real function is the cotangent times the Jacobian: (1, 10) times [[2, 1], [2, 0]] is (22, 1)."""
    _, pullback = ad.vjp(lambda x: ad.np.stack([x[0] * x[1], x[0] * x[0]]), ad.array([1.0, 2.0]))
    close(pullback(ad.array([1.0, 10.0])), ([22.0, 1.0],))


@behaviour(
    MUST,
    torch("torch.autograd.functional.jacobian"),
    jax("jax.jacrev"),
    torch_func("torch.func.jacrev"),
    document("001"),
    hips("differential_operators", "jacobian"),
    aliases=("jacobian shape",),
)
def a_jacobian_has_outputs_before_inputs(ad):
    """The Jacobian of a function between vectors has a row for each output and a column for each input element."""
    jacobian = ad.jacobian(lambda x: ad.np.stack([x[0] * x[1], x[0] * x[0], 5 * x[1]]))
    close(jacobian(ad.array([1.0, 2.0])), [[2.0, 1.0], [2.0, 0.0], [0.0, 5.0]])


@behaviour(MUST, torch("torch.autograd.grad"), jax("jax.vjp"), torch_func("torch.func.vjp"), document("001"))
def the_vjp_of_a_reshape(ad):
    """The VJP of a reshape returns the cotangent in the shape of the input, with the elements in the same order."""
    _, pullback = ad.vjp(lambda x: ad.np.reshape(2 * x, (2, 2)), ad.array([1.0, 2.0, 3.0, 4.0]))
    close(pullback(ad.array([[1.0, 10.0], [100.0, 1000.0]])), ([2.0, 20.0, 200.0, 2000.0],))


@behaviour(
    MUST,
    torch("torch.autograd.grad"),
    jax("jax.vjp"),
    torch_func("torch.func.vjp"),
    document("004"),
    aliases=("matmul backward",),
)
def the_vjp_of_a_matrix_product(ad):
    """The VJP of the product XY of real matrices for a cotangent G is (G Yᵀ, Xᵀ G)."""
    x, y = ad.array([[2.0, 1.0]]), ad.array([[1.0, 2.0], [3.0, 4.0]])
    output, pullback = ad.vjp(ad.np.matmul, x, y)
    close(output, [[5.0, 8.0]])
    close(pullback(ad.array([[1.0, 10.0]])), ([[21.0, 43.0]], [[2.0, 20.0], [1.0, 10.0]]))


@behaviour(
    MUST,
    torch("torch.autograd.grad"),
    jax("jax.grad"),
    torch_func("torch.func.grad"),
    cases={
        "scalar": (3.0, ()),
        "vector": ([3.0], (1,)),
        "matrix": ([[1.0, 2.0]], (1, 2)),
        "empty": ([[], []], (2, 0)),
    },
)
def a_gradient_has_the_shape_of_its_input(ad, value, shape):
    """A gradient has the shape of its input: scalar, vector or matrix, also if it has no elements."""
    equal(ad.grad(lambda x: ad.np.sum(x * x))(ad.array(value)).shape, shape)


@behaviour(
    MUST,
    torch("torch.Tensor.grad_dtype", since="2.10"),
    jax("jax.grad"),
    cases={"single": ("float32",), "double": ("float64",)},
    aliases=("gradient dtype",),
)
def a_gradient_has_the_dtype_of_its_input(ad, dtype):
    """By default a gradient has the dtype of its input, float32 or float64."""
    equal(ad.dtype_of(ad.grad(lambda x: x * x)(ad.array(3.0, dtype))), dtype)


@behaviour(
    MUST,
    accepted=(torch("torch.autograd.grad"), torch("torch.autograd.backward"), torch_func("torch.func.grad")),
    raises=jax("jax.grad", raises=Exception, says="scalar-output functions"),
    cases={"vector": ([3.0],), "matrix": ([[3.0]],)},
    aliases=("to return a scalar tensor, got tensor with 1 dims",),
)
def an_output_of_one_element_with_dimensions(ad, value):
    """grad of a one-element output of shape (1,) or (1, 1) treats it as a scalar, or raises an error."""
    gradient = ad.grad(lambda x: x * x)
    return one_of(lambda: ad.np.sum(gradient(ad.array(value))), accepted=6.0, raises=an_error)


@behaviour(
    MUST,
    raises=torch("torch.autograd.grad", raises=Exception, says="not have been used in the graph"),
    zero=(jax("jax.grad"), torch_func("torch.func.grad")),
    aliases=("unused argument gradient zero",),
)
def an_unused_input(ad):
    """The gradient with respect to an unused input is zeros of its shape, or grad raises an error."""
    gradients = ad.grad(lambda x, y: x * x, argnums=(0, 1))
    return one_of(lambda: gradients(ad.array(3.0), ad.array([2.0, 5.0])), raises=an_error, zero=(6.0, [0.0, 0.0]))


@behaviour(
    MUST,
    raises=torch("torch.autograd.grad", raises=Exception, says="does not require grad"),
    zero=(jax("jax.grad"), torch_func("torch.func.grad")),
    aliases=("element 0 of tensors does not require grad and does not have a grad_fn",),
)
def a_constant_output(ad):
    """The gradient of a constant output, which depends on no input, is zero, or grad raises an error."""
    gradient = ad.grad(lambda x: ad.array(7.0))
    return one_of(lambda: gradient(ad.array(3.0)), raises=an_error, zero=0.0)


@behaviour(
    MUST,
    torch("torch.autograd.grad"),
    jax("jax.grad"),
    torch_func("torch.func.grad"),
    cases={
        "minus_x": (lambda ad, x: -x, 2.0, -1.0),
        "two_minus_x": (lambda ad, x: 2 - x, 2.0, -1.0),
        "two_over_x": (lambda ad, x: 2 / x, 2.0, -0.5),
        "square_root": (lambda ad, x: ad.np.sqrt(x), 16.0, 0.125),
        "reciprocal": (lambda ad, x: ad.np.reciprocal(x), 2.0, -0.25),
        "square": (lambda ad, x: ad.np.square(x), 3.0, 6.0),
        "cube": (lambda ad, x: ad.np.pow(x, 3.0), 2.0, 12.0),
        "tangent": (lambda ad, x: ad.np.tan(x), 1.1071487177940904, 5.0),
        "hyperbolic_tangent": (lambda ad, x: ad.np.tanh(x), 0.6931471805599453, 0.64),
        "sigmoid": (lambda ad, x: ad.np.sigmoid(x), 1.0986122886681098, 0.1875),
        "exponential_less_one": (lambda ad, x: ad.np.expm1(x), 0.6931471805599453, 2.0),
        "logarithm_of_one_more": (lambda ad, x: ad.np.log1p(x), 3.0, 0.25),
        "hypotenuse": (lambda ad, x: ad.np.hypot(x, ad.array(4.0)), 3.0, 0.6),
        "angle_of_a_side": (lambda ad, x: ad.np.atan2(x, ad.array(4.0)), 3.0, 0.16),
        "outer_product": (
            lambda ad, x: ad.np.sum(ad.np.outer(ad.np.stack([x, 2 * x]), ad.array([1.0, 10.0]))),
            5.0,
            33.0,
        ),
        "running_sum": (lambda ad, x: ad.np.sum(ad.np.cumsum(ad.np.stack([x, x * x]))), 3.0, 8.0),
    },
)
def a_function_has_its_derivative(ad, function, at, slope):
    """The gradient of a real scalar function is its derivative: for 2/x at 2 it is -1/2, for sqrt at 16 it is 1/8."""
    close(ad.grad(lambda x: function(ad, x))(ad.array(at)), slope)


@behaviour(
    MUST, torch("torch.autograd.grad"), jax("jax.grad"), torch_func("torch.func.grad"), aliases=("bmm backward",)
)
def the_gradient_of_a_batched_matmul(ad):
    """The gradients of a batched matmul are those of each product in the batch, for both operands."""
    weights = ad.array([[[1.0]], [[10.0]]])
    gradients = ad.grad(lambda x, y: ad.np.sum(weights * ad.np.matmul(x, y)), argnums=(0, 1))
    x, y = ad.array([[[1.0, 2.0]], [[3.0, 4.0]]]), ad.array([[[5.0], [6.0]], [[7.0], [8.0]]])
    close(gradients(x, y), ([[[5.0, 6.0]], [[70.0, 80.0]]], [[[1.0], [2.0]], [[30.0], [40.0]]]))
