"""Modules: functional_call, which gives a module other parameters for one call."""

from conformance.behaviour import MAY, MUST, SHOULD, behaviour, torch, torch_func
from conformance.expect import close, raises

CALL = "torch.func.functional_call"


@behaviour(MUST, torch_func(CALL), aliases=("stateless module",))
def functional_call_does_not_change_the_module(ad):
    """functional_call uses the given parameters for one call, and does not change those of the module."""
    layer = ad.linear([[3.0]])
    close(ad.functional_call(layer, {"weight": ad.array([[5.0]])}, ad.array([[2.0]])), [[10.0]])
    close(layer(ad.array([[2.0]])), [[6.0]])


@behaviour(MAY, torch_func(CALL), aliases=("gradient with respect to a dict of parameters", "pytree of parameters"))
def the_gradient_of_a_parameter_dict_is_a_dict(ad):
    """grad through functional_call with respect to a dictionary of parameters is a dictionary with the same keys."""
    layer, x = ad.linear([[3.0, 4.0]]), ad.array([[3.0, 1.0]])
    gradient = ad.grad(lambda parameters: ad.np.sum(ad.functional_call(layer, parameters, x) ** 2))
    close(gradient({"weight": ad.array([[1.0, 2.0]])}), {"weight": [[30.0, 10.0]]})


def _under(ad, names):
    return {name: ad.array([[5.0]]) for name in names}


@behaviour(
    MUST,
    torch_func(CALL, raises=Exception, says="key(s)"),
    torch(CALL, raises=Exception, says="key(s)"),
    cases={"missing": (["weight"],), "unexpected": (["weight", "bias", "slope"],)},
    aliases=("missing key(s)",),
)
def a_strict_functional_call_checks_the_names(ad, names):
    """functional_call(strict=True) raises an error for a missing or an unexpected parameter name."""
    layer = ad.linear([[3.0]], [11.0])
    raises(lambda: ad.functional_call(layer, _under(ad, names), ad.array([[2.0]]), strict=True))


@behaviour(MAY, torch_func(CALL))
def functional_call_ignores_unknown_names(ad):
    """functional_call ignores names that the module does not have, unless strict=True."""
    parameters = {"weight": ad.array([[5.0]]), "slope": ad.array([7.0])}
    close(ad.functional_call(ad.linear([[3.0]]), parameters, ad.array([[2.0]])), [[10.0]])


@behaviour(MUST, torch_func(CALL))
def functional_call_keeps_parameters_that_are_not_given(ad):
    """functional_call uses the module's parameter for a name that the dictionary does not have, unless strict=True or
    the parameter is tied to one that is given."""
    layer = ad.linear([[3.0]], [11.0])
    close(ad.functional_call(layer, {"weight": ad.array([[5.0]])}, ad.array([[2.0]])), [[21.0]])


@behaviour(
    SHOULD,
    torch_func(CALL, raises=Exception, says="dictionaries"),
    torch(CALL, raises=Exception, says="dictionaries"),
)
def functional_call_raises_for_a_name_in_two_dictionaries(ad):
    """functional_call raises an error if two of its dictionaries have the same key."""
    twice = ({"weight": ad.array([[5.0]])}, {"weight": ad.array([[7.0]])})
    raises(lambda: ad.functional_call(ad.linear([[3.0]]), twice, ad.array([[2.0]])))


@behaviour(MUST, torch_func(CALL), cases={"tied": (True, 50.0), "untied": (False, 30.0)}, aliases=("tie_weights",))
def functional_call_replaces_tied_parameters_together(ad, tie_weights, output):
    """functional_call replaces a tied parameter under all its names, or only the given one with tie_weights=False."""

    def forward(module, x):
        return ad.attribute_of(module, "one") * ad.attribute_of(module, "other") * x

    p = ad.parameter(ad.array(3.0))
    tied = ad.module(forward, one=p, other=p)
    close(ad.functional_call(tied, {"one": ad.array(5.0)}, ad.array(2.0), tie_weights=tie_weights), output)


@behaviour(
    MUST,
    torch_func(CALL, raises=Exception, says="tied"),
    torch(CALL, raises=Exception, says="tied"),
)
def functional_call_raises_for_two_values_of_a_tied_parameter(ad):
    """By default, functional_call raises an error for different values of two names of one tied parameter."""
    p = ad.parameter(ad.array(3.0))
    tied = ad.module(lambda module, x: x, one=p, other=p)
    raises(lambda: ad.functional_call(tied, {"one": ad.array(5.0), "other": ad.array(7.0)}, ad.array(2.0)))


@behaviour(MUST, torch_func(CALL))
def functional_call_accepts_several_dictionaries(ad):
    """functional_call takes the parameters from a tuple of dictionaries with distinct keys."""
    parameters = ({"weight": ad.array([[5.0]])}, {"bias": ad.array([13.0])})
    close(ad.functional_call(ad.linear([[3.0]], [11.0]), parameters, ad.array([[2.0]])), [[23.0]])


@behaviour(
    MAY,
    torch_func(
        CALL, unstated="the page does not mention errors; a module left with other parameters would train wrongly"
    ),
)
def functional_call_restores_parameters_after_an_error(ad):
    """functional_call leaves the module's parameters unchanged even if the call raises an exception."""
    layer = ad.linear([[3.0]])
    raises(lambda: ad.functional_call(layer, {"weight": ad.array([[5.0]])}, "no array"))
    close(layer(ad.array([[2.0]])), [[6.0]])


@behaviour(MUST, torch_func(CALL), torch(CALL))
def a_strict_functional_call_accepts_all_names(ad):
    """functional_call(strict=True) accepts a dictionary with exactly the names of the module's parameters and buffers,
    here two parameters."""
    parameters = {"weight": ad.array([[5.0]]), "bias": ad.array([13.0])}
    close(ad.functional_call(ad.linear([[3.0]], [11.0]), parameters, ad.array([[2.0]]), strict=True), [[23.0]])


@behaviour(MUST, torch(CALL))
def functional_call_changes_its_dictionary_in_place(ad):
    """An in-place operation of a module on a parameter changes the array in the dictionary that functional_call was
    given, and not the parameter of the module."""
    weight, parameters = ad.parameter(ad.array(3.0)), {"weight": ad.array(5.0)}
    module = ad.module(lambda module, x: ad.mul_(ad.attribute_of(module, "weight"), 2.0) * x, weight=weight)
    close(ad.functional_call(module, parameters, ad.array(7.0)), 70.0)
    close((parameters["weight"], ad.attribute_of(module, "weight")), (10.0, 3.0))


@behaviour(MAY, torch(CALL))
def functional_call_accepts_equal_values_of_a_tied_parameter(ad):
    """functional_call accepts two arrays with the same value for the two names of one tied parameter."""
    p = ad.parameter(ad.array(3.0))
    tied = ad.module(
        lambda module, x: x * ad.attribute_of(module, "one") * ad.attribute_of(module, "other"), one=p, other=p
    )
    close(ad.functional_call(tied, {"one": ad.array(5.0), "other": ad.array(5.0)}, ad.array(2.0)), 50.0)
