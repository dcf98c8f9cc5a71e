"""Containers: gradients with respect to lists, tuples, dicts and registered classes (pytrees) of arrays."""

from conformance.behaviour import MUST, SHOULD, behaviour, jax, torch, torch_func
from conformance.expect import an_error, close, equal, one_of, raises

FLAT = "Internal pytree handling"


@behaviour(
    MUST,
    jax("automatic-differentiation", "Differentiating with respect to nested lists, tuples, and dicts"),
    jax("jax.grad"),
    torch_func("torch.func.functional_call"),
    cases={
        "dict": (lambda x, y: {"w": x, "b": y}, lambda p: p["w"] * p["b"], {"w": 5.0, "b": 2.0}),
        "list": (lambda x, y: [x, y], lambda p: p[0] * p[1], (5.0, 2.0)),
        "tuple": (lambda x, y: (x, y), lambda p: p[0] * p[1], (5.0, 2.0)),
        "with_empty": (
            lambda x, y: {"a": (), "b": [x, {}, y]},
            lambda p: p["b"][0] * p["b"][2],
            {"a": (), "b": (5.0, {}, 2.0)},
        ),
        "nested": (lambda x, y: {"a": x, "b": [y]}, lambda p: p["a"] * p["b"][0], {"a": 5.0, "b": (2.0,)}),
    },
    aliases=("grad of dict of parameters",),
)
def a_gradient_has_the_structure_of_its_input(ad, contain, program, expected):
    """The gradient with respect to a container of arrays (a pytree) is a container of the same structure."""
    container = contain(ad.array(2.0), ad.array(5.0))
    gradient = ad.grad(program)(container)
    equal(type(gradient), type(container))
    close(gradient, expected)


@behaviour(
    MUST,
    kept=(jax("pytrees"), jax("jax.vjp")),
    raises=torch_func("torch.func.vjp", raises=Exception, says="must be Tensor"),
    aliases=("none in pytree",),
)
def none_as_an_entry(ad):
    """None in a container (a pytree) is None in the VJP, or raises an error because it is no tensor."""
    container = {"a": ad.array(3.0), "n": None, "z": ad.array([1.0, 2.0])}
    return one_of(
        lambda: ad.vjp(lambda p: p["a"] ** 2 * p["z"], container)[1](ad.array([1.0, 10.0])),
        kept=({"a": 126.0, "n": None, "z": [9.0, 90.0]},),
        raises=an_error,
    )


@behaviour(
    MUST,
    jax("jax.grad", raises=Exception, says="real- or complex-valued inputs"),
    torch("autograd", "torch.autograd", raises=Exception, says="floating point"),
    cases={"first": (2, 1.0, 1.0), "middle": (1.0, 2, 1.0), "last": (1.0, 1.0, 2)},
    aliases=("grad requires real- or complex-valued inputs",),
)
def an_integer_entry_raises_an_error(ad, first, second, third):
    """By default, grad with respect to a container raises an error if one of its arrays has an integer dtype."""
    gradient = ad.grad(lambda p: p[0] * p[1] * p[2])
    raises(lambda: gradient([ad.array(first), ad.array(second), ad.array(third)]))


@behaviour(
    SHOULD,
    jax("jax.grad", raises=Exception, says="of type <class"),
    cases={"text": ("s",), "object": (object(),)},
    aliases=("is not a valid jax type",),
)
def a_string_or_object_entry_raises_an_error(ad, entry):
    """The gradient with respect to a container raises an error if an entry is a string or an unregistered object."""
    gradient = ad.grad(lambda p: p["x"] * p["x"])
    raises(lambda: gradient({"x": ad.array(1.0), "other": entry}))


@behaviour(MUST, jax("jax.grad"), jax("custom_pytrees"), jax("custom_pytrees", FLAT), aliases=("register_pytree_node",))
def the_gradient_of_a_registered_class_has_that_class(ad):
    """The gradient with respect to an object of a registered class (a custom pytree) is an object of that class."""
    point = ad.structure({"x": ad.array(2.0), "y": ad.array(5.0)})
    gradient = ad.grad(lambda p: ad.fields_of(p)[0] * ad.fields_of(p)[1])(point)
    equal(type(gradient), type(point))
    close(ad.fields_of(gradient), (5.0, 2.0))


@behaviour(MUST, jax("custom_pytrees", FLAT), aliases=("shared weights tied parameters",))
def one_array_twice_in_a_container(ad):
    """The same array twice in a container counts as two variables: 3p₀²p₁ at (2, 2) has the gradients 24 and 12."""
    x = ad.array(2.0)
    close(ad.grad(lambda p: 3 * p[0] ** 2 * p[1])([x, x]), (24.0, 12.0))


@behaviour(
    MUST,
    jax("jax.tree_util.register_dataclass"),
    jax("jax.grad"),
    aliases=("register_dataclass meta_fields", "aux_data"),
)
def metadata_of_a_registered_class_is_not_differentiated(ad):
    """A field that a registered class declares as metadata is not differentiated: in the gradient it has the value that
    it has in the input."""
    point = ad.structure({"x": ad.array(2.0), "n": 3, "y": ad.array(5.0)}, metadata=("n",))
    gradient = ad.grad(lambda p: ad.fields_of(p)[0] ** ad.fields_of(p)[1] * ad.fields_of(p)[2])(point)
    x, n, y = ad.fields_of(gradient)
    equal(n, 3)
    close((x, y), (60.0, 8.0))
