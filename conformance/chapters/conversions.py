"""Conversions: tensors to Python numbers, lists, NumPy arrays and copies, with or without their autograd history."""

from conformance.behaviour import MAY, MUST, SHOULD, behaviour, jax_jit, torch
from conformance.expect import an_error, close, equal, one_of, raises, warns

CONCRETE = "jax.errors.ConcretizationTypeError"


@behaviour(
    MUST,
    torch("torch.Tensor.numpy", raises=Exception, says="requires grad"),
    cases={"leaf": (lambda x: x,), "result": (lambda x: 2 * x,)},
    aliases=("can't call numpy() on tensor that requires grad. use tensor.detach().numpy() instead",),
)
def numpy_of_a_tensor_that_requires_grad_raises_an_error(ad, program):
    """In grad mode, numpy() of a tensor that requires grad, leaf or non-leaf, raises an error without force=True."""
    x = program(ad.leaf([1.0, 2.0]))
    raises(lambda: ad.numpy_of(x))


@behaviour(MUST, torch("torch.Tensor.numpy"), aliases=("convert a tensor to numpy",))
def numpy_shares_memory_with_the_tensor(ad):
    """numpy() of a detached CPU tensor shares its memory: modifying the tensor in-place changes the NumPy array."""
    x = ad.leaf([1.0, 2.0])
    exported = ad.numpy_of(ad.detach(x))
    with ad.no_grad():
        ad.set_item_(x, 0, 5.0)
    close(exported, [5.0, 2.0])


@behaviour(
    MUST,
    torch("torch.Tensor.item"),
    cases={"number": (lambda ad, x: ad.number_of(x),), "one_element": (lambda ad, x: ad.number_of(x[None]),)},
    aliases=("loss.item()",),
)
def item_gives_a_python_number(ad, number):
    """item() returns the element of a one-element tensor that requires grad as a Python number, here a float."""
    equal(number(ad, ad.leaf(3.0)), 3.0)


@behaviour(
    MUST,
    constant=torch("torch.Tensor.item"),
    raises=jax_jit("errors", CONCRETE, raises=CONCRETE),
    aliases=("concretizationtypeerror, float() of a tracer",),
)
def a_number_of_the_input_is_a_constant(ad):
    """item() inside grad returns a constant: the gradient of x.item() * x is x. Under jit, it raises an error."""
    gradient = ad.grad(lambda x: ad.number_of(x) * x)
    return one_of(lambda: gradient(ad.array(3.0)), constant=3.0, raises=an_error)


@behaviour(
    MUST,
    torch("torch.Tensor.item", raises=Exception, says="be converted to"),
    aliases=(
        "a tensor with 2 elements cannot be converted to scalar",
        "only one element tensors can be converted to python scalars",
    ),
)
def item_of_several_elements_raises_an_error(ad):
    """item() of a tensor with several elements raises an error."""
    x = ad.array([1.0, 2.0])
    raises(lambda: ad.number_of(x))


@behaviour(MUST, torch("torch.Tensor.tolist"))
def tolist_gives_nested_lists(ad):
    """tolist() returns a matrix, also one that requires grad, as a list of lists."""
    equal(ad.list_of(ad.leaf([[1.0, 2.0], [3.0, 4.0]]) * 2), [[2.0, 4.0], [6.0, 8.0]])


@behaviour(MUST, torch("torch.tensor"), aliases=("torch.tensor breaks the gradient",))
def a_tensor_constructed_from_a_tensor_has_no_history(ad):
    """torch.tensor(x) copies x and drops its history: it returns a leaf that does not require grad."""
    x = ad.leaf([1.0, 2.0])
    made = ad.array(x)
    equal((ad.requires_grad(made), ad.is_leaf(made), ad.shares_memory(made, x)), (False, True, False))
    close(made, [1.0, 2.0])


@behaviour(
    SHOULD,
    torch("torch.tensor", warns=Warning, says="detach().clone()"),
    aliases=("to copy construct from a tensor, it is recommended to use sourcetensor.detach().clone()",),
)
def constructing_a_tensor_from_a_tensor_warns(ad):
    """torch.tensor(x) of a tensor x warns, and recommends x.detach().clone()."""
    x = ad.leaf([1.0, 2.0])
    warns(lambda: ad.array(x))


@behaviour(MUST, torch("torch.tensor"))
def a_tensor_constructed_with_requires_grad_is_a_new_leaf(ad):
    """torch.tensor(y, requires_grad=True) is a new leaf with its own .grad: no gradient flows back through y."""
    x = ad.leaf([1.0, 2.0])
    made = ad.leaf(3 * x)
    ad.backward(ad.np.sum(5 * made))
    close((made, ad.gradient_of(made)), ([3.0, 6.0], [5.0, 5.0]))
    equal((ad.is_leaf(made), ad.gradient_of(x)), (True, None))


@behaviour(MUST, torch("torch.Tensor.new_tensor"))
def new_tensor_has_no_history(ad):
    """x.new_tensor(x) copies x and drops its history: it returns a leaf that does not require grad."""
    x = ad.leaf([1.0, 2.0])
    made = ad.new_array(x, x)
    equal((ad.requires_grad(made), ad.is_leaf(made), ad.shares_memory(made, x)), (False, True, False))
    close(made, [1.0, 2.0])


@behaviour(MUST, torch("torch.as_tensor"))
def as_tensor_returns_the_tensor_itself(ad):
    """as_tensor(x) returns x itself, not a copy, if x is a tensor with the requested dtype and device."""
    x = ad.leaf([1.0, 2.0])
    equal((ad.as_array(x) is x, ad.as_array(x, "float64") is x), (True, True))


@behaviour(MUST, torch("torch.as_tensor"), torch("torch.Tensor.grad_dtype"))
def as_tensor_with_another_dtype_is_differentiable(ad):
    """as_tensor() to another floating-point dtype is differentiable: by default, the leaf's gradient has the dtype of
    the leaf."""
    x = ad.leaf([1.0, 2.0], "float32")
    ad.backward(ad.np.sum(3 * ad.as_array(x, "float64")))
    equal(ad.dtype_of(ad.gradient_of(x)), "float32")
    close(ad.gradient_of(x), [3.0, 3.0], dtype="float32")


@behaviour(
    MAY, torch("tensors", unstated="no page has copy.deepcopy of a tensor; averaging and checkpoints of models use it")
)
def a_deep_copy_of_a_leaf_has_a_separate_grad(ad):
    """copy.deepcopy() of a leaf is a leaf with a copy of its .grad; the two accumulate separately."""
    x = ad.leaf([1.0, 2.0])
    ad.backward(ad.np.sum(2 * x))
    copy = ad.deep_copy(x)
    ad.backward(ad.np.sum(5 * copy))
    close((ad.gradient_of(copy), ad.gradient_of(x)), ([7.0, 7.0], [2.0, 2.0]))


@behaviour(
    MAY,
    torch("tensors", raises=Exception, says="deepcopy protocol", unstated="only the message of the error states it"),
    aliases=("only tensors created explicitly by the user (graph leaves) support the deepcopy protocol",),
)
def a_deep_copy_of_a_non_leaf_raises_an_error(ad):
    """copy.deepcopy() of a non-leaf raises an error."""
    y = 2 * ad.leaf([1.0, 2.0])
    raises(lambda: ad.deep_copy(y))


@behaviour(
    MAY,
    torch("dlpack", raises=Exception, says="require gradient", unstated="only the message of the error states it"),
    aliases=("can't export tensors that require gradient",),
)
def dlpack_of_a_tensor_that_requires_grad_raises_an_error(ad):
    """Exporting a tensor that requires grad through DLPack raises an error."""
    x = ad.leaf([1.0, 2.0])
    raises(lambda: ad.dlpack_of(x))


@behaviour(MAY, torch("tensors", unstated="no page has copy.deepcopy of a tensor; tied weights rely on it"))
def a_deep_copy_keeps_shared_tensors_shared(ad):
    """copy.deepcopy() of a list [x, x] makes one copy of x, which is in the new list twice."""
    x = ad.leaf([1.0, 2.0])
    first, second = ad.deep_copy([x, x])
    equal((first is second, first is x), (True, False))


@behaviour(
    MAY, torch("tensors", unstated="no page has copy.deepcopy of a tensor; copies of models with hooks depend on it")
)
def a_deep_copy_does_not_copy_hooks(ad):
    """copy.deepcopy() of a leaf does not copy its hooks: backward() through the copy does not call them."""
    x = ad.leaf(1.0)
    ad.register_hook(x, lambda g: 10 * g)
    copy = ad.deep_copy(x)
    ad.backward(5 * copy)
    close(ad.gradient_of(copy), 5.0)


@behaviour(
    MUST,
    torch("torch.Tensor.numpy"),
    cases={"leaf": (lambda x: x, [1.0, 2.0]), "result": (lambda x: 2 * x, [2.0, 4.0])},
    aliases=("numpy(force=true)",),
)
def numpy_can_be_forced(ad, program, expected):
    """numpy(force=True) of a tensor that requires grad returns its values in a NumPy array, as detach().numpy()
    does."""
    found = ad.numpy_of(program(ad.leaf([1.0, 2.0])), force=True)
    equal(str(type(found)), "<class 'numpy.ndarray'>")
    close(found, expected)


@behaviour(
    MUST,
    torch("torch.asarray"),
    cases={"by_default": (None,), "required": (True,)},
    aliases=("torch.asarray requires_grad",),
)
def asarray_keeps_the_history(ad, requires_grad):
    """asarray(y) of a non-leaf y that requires grad has its history and shares its memory, by default and with
    requires_grad=True."""
    x = ad.leaf([1.0, 2.0])
    y = 2 * x
    made = ad.array_from(y, requires_grad=requires_grad)
    ad.backward(ad.np.sum(3 * made))
    equal((ad.requires_grad(made), ad.shares_memory(made, y)), (True, True))
    close(ad.gradient_of(x), [6.0, 6.0])


@behaviour(MAY, torch("torch.asarray"))
def asarray_can_drop_the_history(ad):
    """asarray(y, requires_grad=False) shares memory with y, and has no history."""
    y = 2 * ad.leaf([1.0, 2.0])
    made = ad.array_from(y, requires_grad=False)
    equal((ad.requires_grad(made), ad.is_leaf(made), ad.requires_grad(y)), (False, True, True))
    equal(ad.shares_memory(made, y), True)


@behaviour(MUST, torch("torch.Tensor.as_subclass"), aliases=("tensor subclass gradient",))
def an_instance_of_a_subclass_stays_in_the_graph(ad):
    """The output of as_subclass() is an instance of the subclass that shares the memory of the tensor, and stays in the
    graph: gradients flow through it."""
    x = ad.leaf([1.0, 2.0])
    subclass = type("Subclass", (type(x),), {})
    made = ad.view_by(x, "as_subclass", subclass)
    ad.backward(ad.np.sum(made * made))
    equal((type(made) is subclass, ad.requires_grad(made), ad.shares_memory(made, x)), (True, True, True))
    close(ad.gradient_of(x), [2.0, 4.0])
