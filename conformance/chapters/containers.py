"""Containers: gradients of arrays that stand in lists, tuples, dictionaries and classes of the user's own."""

from conformance.behaviour import MUST, behaviour, jax, torch_func
from conformance.expect import an_error, close, equal, one_of, raises

# All transforms of torch.func refuse what is no tensor alike; the page of vjp is the one that asks for tensors.
NO_TENSOR = "must be Tensor"


@behaviour(
    MUST,
    jax("automatic-differentiation", "Differentiating with respect to nested lists, tuples, and dicts"),
    torch_func("torch.func.grad"),
    cases={
        "dict": (lambda x, y: {"w": x, "b": y}, lambda p: p["w"] * p["b"], {"w": 5.0, "b": 2.0}),
        "list": (lambda x, y: [x, y], lambda p: p[0] * p[1], (5.0, 2.0)),
        "tuple": (lambda x, y: (x, y), lambda p: p[0] * p[1], (5.0, 2.0)),
        "nested": (lambda x, y: {"a": x, "b": [y]}, lambda p: p["a"] * p["b"][0], {"a": 5.0, "b": (2.0,)}),
    },
)
def a_gradient_has_the_structure_of_its_input(ad, contain, program, expected):
    """The gradient of a container of arrays is a container of the same kind, with a gradient for each array."""
    container = contain(ad.array(2.0), ad.array(5.0))
    gradient = ad.grad(program)(container)
    equal(type(gradient), type(container))
    close(gradient, expected)


@behaviour(MUST, kept=jax("pytrees"), raises=torch_func("torch.func.vjp", says=NO_TENSOR))
def none_as_an_entry(ad):
    """None as an entry of a container stands for no array, and is None in the gradient, or is refused as no array."""
    gradient = ad.grad(lambda p: p["a"] ** 2)
    return one_of(
        lambda: gradient({"a": ad.array(3.0), "n": None}),
        kept={"a": 6.0, "n": None},
        raises=an_error,
    )


@behaviour(
    MUST,
    jax("jax.grad", raises=TypeError, says="real- or complex-valued inputs"),
    torch_func("torch.func.grad", raises=RuntimeError, says="floating point"),
)
def one_integer_entry_is_refused(ad):
    """The gradient of a container is refused where one of its arrays is of integers."""
    gradient = ad.grad(lambda p: p["x"] * p["n"])
    raises(lambda: gradient({"x": ad.array(1.0), "n": ad.array(2)}))


@behaviour(
    MUST,
    jax("pytrees", raises=TypeError, says="of type <class"),
    torch_func("torch.func.vjp", says=NO_TENSOR),
    cases={"text": ("s",), "object": (object(),)},
)
def an_entry_that_is_no_array_is_refused(ad, entry):
    """The gradient of a container is refused where one of its entries is text, or an object of an unknown class."""
    gradient = ad.grad(lambda p: p["x"] * p["x"])
    raises(lambda: gradient({"x": ad.array(1.0), "other": entry}))


@behaviour(MUST, jax("custom_pytrees"))
def a_registered_class_comes_back_as_itself(ad):
    """The gradient of an object of a class that was registered is an object of that class."""
    point = ad.structure({"x": ad.array(2.0), "y": ad.array(5.0)})
    gradient = ad.grad(lambda p: ad.fields_of(p)[0] * ad.fields_of(p)[1])(point)
    equal(type(gradient), type(point))
    close(ad.fields_of(gradient), (5.0, 2.0))


@behaviour(MUST, jax("pytrees"), torch_func("torch.func.grad"))
def one_array_twice_in_a_container(ad):
    """One array at two places of a container counts as two variables, each with its own gradient."""
    x = ad.array(2.0)
    close(ad.grad(lambda p: 3 * p[0] * p[1])([x, x]), (6.0, 6.0))
