"""Dtypes: which outputs require grad, and which dtype a gradient has."""

from conformance.behaviour import MUST, behaviour, jax, torch, torch_func
from conformance.expect import an_error, close, equal, one_of

ORDER = "Why are gradients zero for functions based on sort order?"


@behaviour(
    MUST,
    torch("torch.Tensor.to"),
    cases={
        "argmax": (lambda ad, x: ad.np.argmax(x),),
        "argsort": (lambda ad, x: ad.np.argsort(x),),
        "comparison": (lambda ad, x: x > 2,),
        "count_nonzero": (lambda ad, x: ad.np.count_nonzero(x),),
        "isnan": (lambda ad, x: ad.np.isnan(x),),
        "nonzero": (lambda ad, x: ad.np.nonzero(x),),
        "searchsorted": (lambda ad, x: ad.np.searchsorted(x, ad.array(2.0)),),
        "signbit": (lambda ad, x: ad.np.signbit(x),),
    },
)
def an_integer_output_does_not_require_grad(ad, operation):
    """An integer or boolean output (argmax, nonzero, a comparison) does not require grad, even if the input does."""
    equal(ad.requires_grad(operation(ad, ad.leaf([1.0, 3.0]))), False)


@behaviour(
    MUST,
    raises=torch("autograd", "torch.autograd", raises=Exception, says="does not require grad"),
    zero=(jax("faq", ORDER), torch_func("torch.func.grad")),
    cases={
        "argmax": (lambda ad, x: 1.0 * ad.np.argmax(x),),
        "argsort": (lambda ad, x: ad.np.sum(ad.np.argsort(x) * ad.array([1.0, 10.0])),),
        "comparison": (lambda ad, x: ad.np.sum(1.0 * (x > 0)),),
    },
    aliases=("argmax not differentiable",),
)
def a_function_of_the_order_of_elements_has_no_gradient(ad, program):
    """The gradient of an integer or boolean function of x (argmax, argsort, x > 0) is zero, or grad raises an error, as
    the output does not require grad."""
    gradient = ad.grad(lambda x: program(ad, x))
    return one_of(lambda: gradient(ad.array([3.0, -1.0])), raises=an_error, zero=[0.0, 0.0])


@behaviour(
    MUST,
    torch("torch.zeros_like"),
    torch("torch.ones_like"),
    torch("torch.full_like"),
    torch("torch.rand_like"),
    cases={
        "zeros": (lambda ad, x: ad.np.zeros_like(x),),
        "ones": (lambda ad, x: ad.np.ones_like(x),),
        "full": (lambda ad, x: ad.np.full_like(x, 7.0),),
        "random": (lambda ad, x: ad.np.rand_like(x),),
    },
)
def zeros_like_and_others_do_not_require_grad(ad, factory):
    """By default zeros_like, ones_like, full_like and rand_like copy shape and dtype of a tensor, not requires_grad."""
    made = factory(ad, 2 * ad.leaf([1.0, 2.0]))
    equal((made.shape, ad.dtype_of(made), ad.requires_grad(made)), ((2,), "float64", False))


@behaviour(MUST, torch("torch.sort"), torch("torch.Tensor.to"), torch("autograd", "Autograd graph"))
def of_several_outputs_integers_do_not_require_grad(ad):
    """In grad mode the values that sort returns for an input that requires grad require grad, and the integer indices
    do not."""
    values, indices = ad.np.sort_with_indices(ad.leaf([3.0, 1.0, 2.0]))
    equal((ad.requires_grad(values), ad.requires_grad(indices)), (True, False))


@behaviour(
    MUST,
    torch("torch.Tensor.to"),
    cases={"int32": ("int32",), "int64": ("int64",), "boolean": ("bool",)},
    aliases=("only tensors of floating point dtype can require gradients",),
)
def a_cast_to_integers_does_not_require_grad(ad, dtype):
    """A tensor converted to an integer or boolean dtype does not require grad."""
    equal(ad.requires_grad(ad.cast(ad.leaf([1.7]), dtype)), False)


@behaviour(
    MUST,
    raises=torch("autograd", "torch.autograd", raises=Exception, says="does not require grad"),
    zero=(jax("jax.grad"), torch_func("torch.func.grad")),
)
def a_cast_to_integers_has_no_gradient(ad):
    """The gradient of a cast to an integer dtype and back is zero, or grad raises an error, as the output does not
    require grad."""
    gradient = ad.grad(lambda x: ad.cast(ad.cast(x, "int64"), "float64"))
    return one_of(lambda: gradient(ad.array(1.7)), raises=an_error, zero=0.0)


@behaviour(
    MUST,
    torch("torch.Tensor.grad_dtype", since="2.10"),
    jax("jax.grad"),
    cases={"double": ("float64",), "half": ("float16",), "complex": ("complex64",)},
)
def the_gradient_of_a_cast_has_the_dtype_of_the_input(ad, dtype):
    """By default the gradient of an array that the function casts to another dtype has the dtype of the array."""
    gradient = ad.grad(lambda x: ad.np.sum(ad.np.real(3 * ad.cast(x, dtype))))(ad.array([1.0, 2.0], "float32"))
    equal(ad.dtype_of(gradient), "float32")
    close(gradient, [3.0, 3.0], dtype="float32")


@behaviour(
    MUST, torch("torch.Tensor.grad_dtype", since="2.10"), jax("jax.grad"), aliases=("mixed precision gradient dtype",)
)
def gradients_of_a_mixed_product_have_the_dtype_of_their_operand(ad):
    """By default the gradients of the product of a float32 and a float64 array are float32 for the one and float64 for
    the other."""
    x, y = ad.grad(lambda x, y: x * y, argnums=(0, 1))(ad.array(2.0, "float32"), ad.array(5.0, "float64"))
    equal((ad.dtype_of(x), ad.dtype_of(y)), ("float32", "float64"))
    close(x, 5.0, dtype="float32")
    close(y, 2.0)


@behaviour(MUST, torch("torch.Tensor.grad_dtype", since="2.10"), jax("jax.grad"), aliases=("half precision gradient",))
def the_gradient_of_a_float16_array_is_float16(ad):
    """By default the gradient of a float16 (half precision) array is a float16 array."""
    gradient = ad.grad(lambda x: x * x)(ad.array(1.5, "float16"))
    equal(ad.dtype_of(gradient), "float16")
    close(gradient, 3.0, dtype="float16")


@behaviour(MUST, torch("torch.autocast"), torch("torch.Tensor.grad_dtype", since="2.10"), aliases=("mixed precision",))
def backward_runs_in_the_dtype_that_autocast_chose(ad):
    """Backward operations run in the dtype that autocast used for the forward operation: the gradient of a matmul in
    bfloat16 is rounded to it. By default, .grad has the dtype of the leaf, float32."""
    # In bfloat16 1 + 1/512 is 1, and 19 times 27 is 512.
    x, w = ad.array([[1.001953125, 19.0]], "float32"), ad.leaf([[3.0], [5.0]], "float32")
    with ad.autocast("bfloat16"):
        y = ad.np.matmul(x, w)
    ad.backward(y, ad.cast(ad.array([[27.0]]), "bfloat16"))
    close(ad.gradient_of(w), [[27.0], [512.0]], dtype="float32")
