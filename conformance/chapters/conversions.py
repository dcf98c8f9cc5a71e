"""Conversions: arrays as numbers, as other libraries' arrays, and as copies, and what becomes of their history."""

from conformance.behaviour import MAY, MUST, behaviour, jax_jit, torch
from conformance.expect import an_error, close, equal, one_of, raises, warns


@behaviour(
    MUST,
    torch("torch.Tensor.numpy", raises=RuntimeError, says="requires grad"),
    cases={"leaf": (lambda x: x,), "result": (lambda x: 2 * x,)},
)
def a_tracked_array_is_not_exported(ad, program):
    """NumPy is not given an array that requires grad, be it a leaf or a result, which would lose its history there."""
    x = program(ad.leaf([1.0, 2.0]))
    raises(lambda: ad.numpy_of(x))


@behaviour(MUST, torch("torch.Tensor.numpy"))
def an_exported_array_shares_memory(ad):
    """The NumPy array of a detached value is its memory: what is written into the array shows there."""
    x = ad.leaf([1.0, 2.0])
    exported = ad.numpy_of(ad.detach(x))
    with ad.no_grad():
        ad.set_item_(x, 0, 5.0)
    close(exported, [5.0, 2.0])


@behaviour(
    MUST,
    torch("torch.Tensor.item"),
    cases={"number": (lambda ad, x: ad.number_of(x),), "one_element": (lambda ad, x: ad.number_of(2 * x[None]) / 2,)},
)
def one_element_becomes_a_number(ad, number):
    """The one element of an array becomes a number of Python, a constant: 3 times x at 3 has the gradient 3."""
    x = ad.leaf(3.0)
    ad.backward(number(ad, x) * x)
    equal(number(ad, x), 3.0)
    close(ad.gradient_of(x), 3.0)


@behaviour(
    MUST,
    constant=torch("torch.Tensor.item"),
    raises=jax_jit("errors", raises="jax.errors.ConcretizationTypeError", says="abstract tracer"),
)
def a_number_of_the_input_carries_no_history(ad):
    """A program may make a number of its input, which is a constant, or has no such number when it is compiled."""
    gradient = ad.grad(lambda x: ad.number_of(x) * x)
    return one_of(lambda: gradient(ad.array(3.0)), constant=3.0, raises=an_error)


@behaviour(
    MUST,
    torch("torch.Tensor.item", raises=RuntimeError, says="cannot be converted to Scalar"),
)
def several_elements_are_no_number(ad):
    """An array of several elements is refused where a number is asked for."""
    x = ad.array([1.0, 2.0])
    raises(lambda: ad.number_of(x))


@behaviour(MUST, torch("torch.Tensor.tolist"))
def several_elements_become_a_list(ad):
    """An array that requires grad is given as nested lists of numbers."""
    equal(ad.list_of(ad.leaf([[1.0, 2.0], [3.0, 4.0]]) * 2), [[2.0, 4.0], [6.0, 8.0]])


@behaviour(MUST, torch("torch.tensor"))
def a_construction_from_an_array_copies_and_cuts(ad):
    """The constructor given an array that requires grad copies its numbers, into a leaf that does not."""
    x = ad.leaf([1.0, 2.0])
    made = ad.array(x)
    equal((ad.requires_grad(made), ad.is_leaf(made), ad.shares_memory(made, x)), (False, True, False))
    close(made, [1.0, 2.0])


@behaviour(MUST, torch("torch.tensor", warns=UserWarning, says="detach().clone()"))
def a_construction_from_an_array_warns(ad):
    """The constructor given an array warns that a detached clone would say the same."""
    x = ad.leaf([1.0, 2.0])
    warns(lambda: ad.array(x))


@behaviour(MUST, torch("torch.tensor"))
def a_construction_with_the_flag_starts_anew(ad):
    """A leaf constructed from a tracked array has a gradient of its own, and the array that it copies gets none."""
    x = ad.leaf([1.0, 2.0])
    made = ad.leaf(3 * x)
    ad.backward(ad.np.sum(5 * made))
    close((made, ad.gradient_of(made)), ([3.0, 6.0], [5.0, 5.0]))
    equal(ad.gradient_of(x), None)


@behaviour(MUST, torch("torch.Tensor.new_tensor"))
def the_method_form_cuts_too(ad):
    """The constructor that is a method of an array copies its argument, too, and gives a leaf without the flag."""
    x = ad.leaf([1.0, 2.0])
    made = ad.new_array(x, x)
    equal((ad.requires_grad(made), ad.is_leaf(made), ad.shares_memory(made, x)), (False, True, False))
    close(made, [1.0, 2.0])


@behaviour(MUST, torch("torch.as_tensor"))
def a_conversion_keeps_the_array(ad):
    """An array converted to what it is already is that array itself, still a leaf."""
    x = ad.leaf([1.0, 2.0])
    equal((ad.as_array(x) is x, ad.as_array(x, "float64") is x), (True, True))


@behaviour(MUST, torch("torch.as_tensor"))
def a_conversion_of_the_dtype_is_recorded(ad):
    """An array converted to another dtype keeps its history: the gradient comes back, in the dtype of the leaf."""
    x = ad.leaf([1.0, 2.0], "float32")
    ad.backward(ad.np.sum(3 * ad.as_array(x, "float64")))
    equal(ad.dtype_of(ad.gradient_of(x)), "float32")
    close(ad.gradient_of(x), [3.0, 3.0], dtype="float32")


@behaviour(MAY, torch("tensors"))
def a_deep_copy_of_a_leaf_has_its_own_gradient(ad):
    """A deep copy of a leaf requires grad and has a copy of the stored gradient, to which its own are added."""
    x = ad.leaf([1.0, 2.0])
    ad.backward(ad.np.sum(2 * x))
    copy = ad.deep_copy(x)
    ad.backward(ad.np.sum(5 * copy))
    close((ad.gradient_of(copy), ad.gradient_of(x)), ([7.0, 7.0], [2.0, 2.0]))


@behaviour(MAY, torch("tensors", raises=RuntimeError, says="created explicitly by the user"))
def a_result_cannot_be_copied_deeply(ad):
    """A deep copy of a result is refused: its history would have to be copied with it."""
    y = 2 * ad.leaf([1.0, 2.0])
    raises(lambda: ad.deep_copy(y))


@behaviour(MAY, torch("dlpack", raises=BufferError, says="require gradient"))
def a_tracked_array_is_not_exchanged(ad):
    """Other libraries are not given an array that requires grad through DLPack."""
    x = ad.leaf([1.0, 2.0])
    raises(lambda: ad.dlpack_of(x))


@behaviour(MAY, torch("tensors"))
def a_deep_copy_of_two_names_is_one_array(ad):
    """An array that stands twice in a list stands twice in its deep copy, too, as one array."""
    x = ad.leaf([1.0, 2.0])
    first, second = ad.deep_copy([x, x])
    equal((first is second, first is x), (True, False))


@behaviour(MAY, torch("tensors"))
def a_deep_copy_calls_no_hooks(ad):
    """The hooks of a leaf are not copied with it: the gradient of the copy is 5, and not ten times 5."""
    x = ad.leaf(1.0)
    ad.register_hook(x, lambda g: 10 * g)
    copy = ad.deep_copy(x)
    ad.backward(5 * copy)
    close(ad.gradient_of(copy), 5.0)
