"""Modules: functions that own parameters, freeze, share or swap them, and clear their gradients."""

from conformance.behaviour import MUST, behaviour, jax, torch, torch_func
from conformance.expect import close, equal, raises

CALL = "torch.func.functional_call"
SETTING = "Setting requires_grad"


def _twice(ad, layer):
    """A layer applied to its own output, under the two names `first` and `second`."""

    def forward(module, x):
        return ad.attribute_of(module, "second")(ad.attribute_of(module, "first")(x))

    return ad.module(forward, first=layer, second=layer)


@behaviour(
    MUST,
    torch("torch.nn.Module.requires_grad_"),
    torch("notes/autograd", SETTING),
    cases={"off": (True, False), "on": (False, True)},
)
def freezing_applies_to_all_parameters(ad, before, flag):
    """The flag set on a module is set on all parameters in it, and the module itself is returned."""
    layer = ad.linear([[3.0]], [5.0])
    outer = ad.freeze_(ad.module(lambda module, x: x, inner=layer), before)
    equal(ad.freeze_(outer, flag) is outer, True)
    equal(ad.requires_grad(ad.attribute_of(layer, "weight")), flag)
    equal(ad.requires_grad(ad.attribute_of(layer, "bias")), flag)


@behaviour(MUST, torch("notes/autograd", SETTING))
def a_frozen_layer_gets_no_gradient(ad):
    """The parameters of a frozen layer get no gradient, while those of the layer behind it do."""
    first, second = ad.freeze_(ad.linear([[3.0]], [5.0]), False), ad.linear([[7.0]], [13.0])
    ad.backward(ad.np.sum(second(first(ad.array([[2.0]])))))
    equal(ad.gradient_of(ad.attribute_of(first, "weight")), None)
    equal(ad.gradient_of(ad.attribute_of(first, "bias")), None)
    close(ad.gradient_of(ad.attribute_of(second, "weight")), [[11.0]])
    close(ad.gradient_of(ad.attribute_of(second, "bias")), [1.0])


@behaviour(MUST, torch("notes/autograd", SETTING))
def gradients_pass_through_a_frozen_layer(ad):
    """Through a frozen layer the gradient reaches what lies before it: behind the weight 3 it is 3."""
    x = ad.leaf([[2.0]])
    ad.backward(ad.np.sum(ad.freeze_(ad.linear([[3.0]]), False)(x)))
    close(ad.gradient_of(x), [[3.0]])


@behaviour(MUST, torch("torch.Tensor.detach"), jax("jax.lax.stop_gradient"))
def gradients_pass_by_a_weight_that_is_cut_off(ad):
    """Detaching a weight in one product cuts off that use alone: x gets 5 * 3, the weight 7 from its other term."""
    gradient = ad.grad(lambda x, weight: 5 * ad.detach(weight) * x + 7 * weight, argnums=(0, 1))
    close(gradient(ad.array(2.0), ad.array(3.0)), (15.0, 7.0))


@behaviour(MUST, torch("torch.nn.Module.zero_grad", since="2.0"))
def zeroing_a_module_clears_by_default(ad):
    """Zeroing the gradients of a module leaves its parameters without any, unless told otherwise."""
    layer = ad.linear([[3.0]])
    ad.backward(ad.np.sum(layer(ad.array([[2.0]]))))
    ad.zero_gradients_(layer)
    equal(ad.gradient_of(ad.attribute_of(layer, "weight")), None)


@behaviour(MUST, torch("torch.nn.Module.zero_grad"), torch("torch.optim.Optimizer.zero_grad"))
def zeroing_a_module_can_write_zeros(ad):
    """On request zeroing the gradients of a module writes zeros into the arrays that hold them."""
    layer = ad.linear([[3.0]])
    ad.backward(ad.np.sum(layer(ad.array([[2.0]]))))
    gradient = ad.gradient_of(ad.attribute_of(layer, "weight"))
    ad.zero_gradients_(layer, set_to_none=False)
    equal(ad.gradient_of(ad.attribute_of(layer, "weight")) is gradient, True)
    close(gradient, [[0.0]])


@behaviour(MUST, torch("torch.nn.Module.parameters"))
def a_shared_parameter_is_listed_once(ad):
    """A parameter that two inner modules share is listed once, under the first of its names."""
    equal(tuple(ad.parameters_of(_twice(ad, ad.linear([[3.0]])))), ("first.weight",))


@behaviour(MUST, torch("torch.Tensor.grad"))
def a_shared_parameter_adds_up_over_its_uses(ad):
    """The gradient of a shared parameter is the sum over its uses: of 3 * 3 * 5 it is 15 + 15."""
    layer = ad.linear([[3.0]])
    ad.backward(ad.np.sum(_twice(ad, layer)(ad.array([[5.0]]))))
    close(ad.gradient_of(ad.attribute_of(layer, "weight")), [[30.0]])


@behaviour(MUST, torch("torch.nn.parameter.Parameter"))
def only_parameters_are_registered(ad):
    """A module registers only parameters: another leaf assigned to it is not listed, although it requires grad."""
    learnt, tracked = ad.parameter(ad.array(2.0)), ad.leaf(5.0)
    equal(tuple(ad.parameters_of(ad.module(lambda module, x: x, tracked=tracked, learnt=learnt))), ("learnt",))


@behaviour(MUST, torch("notes/extending", "Adding a Module", raises=TypeError, says="cannot assign"))
def a_plain_array_replaces_no_parameter(ad):
    """Assigning a plain array to the name of a parameter is refused."""
    layer = ad.linear([[3.0]])
    raises(lambda: ad.set_attribute_(layer, "weight", ad.array([[5.0]])))


@behaviour(MUST, torch("notes/autograd", "No-grad Mode"))
def initialising_is_not_recorded(ad):
    """An initialiser writes into a parameter unrecorded: it is still a leaf that requires grad."""
    p = ad.parameter(ad.array([2.0, 3.0]))
    equal(ad.init_ones_(p) is p, True)
    close(p, [1.0, 1.0])
    equal((ad.is_leaf(p), ad.requires_grad(p)), (True, True))


@behaviour(MUST, torch_func(CALL))
def a_call_with_other_parameters_changes_nothing(ad):
    """A module called with another weight uses it for this call, and keeps its own: 5 * 2 first, then 3 * 2."""
    layer = ad.linear([[3.0]])
    close(ad.functional_call(layer, {"weight": ad.array([[5.0]])}, ad.array([[2.0]])), [[10.0]])
    close(layer(ad.array([[2.0]])), [[6.0]])


@behaviour(MUST, torch_func(CALL))
def gradients_come_as_a_dict_of_parameters(ad):
    """The gradient by a dictionary of parameters is a dictionary of the same names, taken at the values given."""
    layer, x = ad.linear([[3.0, 4.0]]), ad.array([[3.0, 1.0]])
    gradient = ad.grad(lambda parameters: ad.np.sum(ad.functional_call(layer, parameters, x) ** 2))
    close(gradient({"weight": ad.array([[1.0, 2.0]])}), {"weight": [[30.0, 10.0]]})


def _under(ad, names):
    return {name: ad.array([[5.0]]) for name in names}


@behaviour(
    MUST,
    torch_func(CALL, raises=RuntimeError, says="key(s)"),
    torch(CALL, raises=RuntimeError, says="key(s)"),
    cases={"missing": (["weight"],), "unexpected": (["weight", "bias", "slope"],)},
)
def names_of_parameters_are_checked(ad, names):
    """A strict call refuses a dictionary in which the name of a parameter is missing, or that has another name."""
    layer = ad.linear([[3.0]], [11.0])
    raises(lambda: ad.functional_call(layer, _under(ad, names), ad.array([[2.0]]), strict=True))


@behaviour(MUST, torch_func(CALL))
def unknown_names_may_be_ignored(ad):
    """A call that is not strict passes over names that the module does not have."""
    parameters = {"weight": ad.array([[5.0]]), "slope": ad.array([7.0])}
    close(ad.functional_call(ad.linear([[3.0]]), parameters, ad.array([[2.0]])), [[10.0]])


@behaviour(MUST, torch_func(CALL))
def missing_names_keep_their_own_parameters(ad):
    """A call that is not strict uses the module's own parameter where the dictionary has none: 5 * 2 + 11."""
    layer = ad.linear([[3.0]], [11.0])
    close(ad.functional_call(layer, {"weight": ad.array([[5.0]])}, ad.array([[2.0]])), [[21.0]])


@behaviour(
    MUST,
    torch_func(CALL, raises=ValueError, says="multiple dictionaries"),
    torch(CALL, raises=ValueError, says="multiple dictionaries"),
)
def a_name_in_two_dictionaries_is_refused(ad):
    """Of several dictionaries, two that have the same name are refused."""
    twice = ({"weight": ad.array([[5.0]])}, {"weight": ad.array([[7.0]])})
    raises(lambda: ad.functional_call(ad.linear([[3.0]]), twice, ad.array([[2.0]])))


@behaviour(MUST, torch_func(CALL), cases={"tied": (True, 50.0), "untied": (False, 30.0)})
def tied_parameters_are_replaced_together(ad, tie_weights, output):
    """A tied parameter is replaced under both its names, unless told otherwise: 5 * 5 * 2, or 5 * 3 * 2 untied."""

    def forward(module, x):
        return ad.attribute_of(module, "one") * ad.attribute_of(module, "other") * x

    p = ad.parameter(ad.array(3.0))
    tied = ad.module(forward, one=p, other=p)
    close(ad.functional_call(tied, {"one": ad.array(5.0)}, ad.array(2.0), tie_weights=tie_weights), output)


@behaviour(
    MUST,
    torch_func(CALL, raises=ValueError, says="multiple values"),
    torch(CALL, raises=ValueError, says="multiple values"),
)
def tied_parameters_take_one_value(ad):
    """Two values for the two names of one parameter are refused."""
    p = ad.parameter(ad.array(3.0))
    tied = ad.module(lambda module, x: x, one=p, other=p)
    raises(lambda: ad.functional_call(tied, {"one": ad.array(5.0), "other": ad.array(7.0)}, ad.array(2.0)))


@behaviour(MUST, torch_func(CALL))
def parameters_may_come_in_several_dictionaries(ad):
    """A call takes its parameters from several dictionaries with different names: 5 * 2 + 13."""
    parameters = ({"weight": ad.array([[5.0]])}, {"bias": ad.array([13.0])})
    close(ad.functional_call(ad.linear([[3.0]], [11.0]), parameters, ad.array([[2.0]])), [[23.0]])


@behaviour(MUST, torch_func(CALL))
def a_call_that_fails_changes_nothing(ad):
    """A module keeps its own parameters where a call with others ends in an exception."""
    layer = ad.linear([[3.0]])
    raises(lambda: ad.functional_call(layer, {"weight": ad.array([[5.0]])}, "no array"))
    close(layer(ad.array([[2.0]])), [[6.0]])


@behaviour(MUST, torch("torch.nn.Module.named_parameters"), cases={"once": (True, 1), "twice": (False, 2)})
def a_parameter_of_two_layers_is_listed_once(ad, remove_duplicate, expected):
    """A parameter that two layers have is listed once, or on request under both its names."""
    first, second = ad.linear([[3.0]]), ad.linear([[5.0]])
    ad.set_attribute_(second, "weight", ad.attribute_of(first, "weight"))
    both = ad.module(lambda module, x: x, first=first, second=second)
    equal(len(ad.parameters_of(both, remove_duplicate=remove_duplicate)), expected)


@behaviour(MUST, torch("torch.nn.Module.named_parameters"))
def duplicates_are_listed_on_request(ad):
    """A layer that is part of a module twice has its parameters listed under both its names if that is asked for."""
    parameters = ad.parameters_of(_twice(ad, ad.linear([[3.0]])), remove_duplicate=False)
    equal(tuple(parameters), ("first.weight", "second.weight"))


@behaviour(
    MUST,
    torch("torch.nn.Module.named_parameters"),
    cases={"own": (False, ("scale",)), "all": (True, ("scale", "inner.weight"))},
)
def parameters_of_inner_modules_can_be_left_out(ad, recurse, expected):
    """On request only the parameters of a module itself are listed, and not those of the modules within it."""
    scale = ad.parameter(ad.array(2.0))
    outer = ad.module(lambda module, x: x, scale=scale, inner=ad.linear([[3.0]]))
    equal(tuple(ad.parameters_of(outer, recurse=recurse)), expected)


@behaviour(MUST, torch("torch.nn.parameter.Parameter"))
def a_parameter_can_be_replaced(ad):
    """A parameter assigned to the name of another takes its place, and None leaves a place without any."""
    layer = ad.linear([[3.0]], [11.0])
    ad.set_attribute_(layer, "weight", ad.parameter(ad.array([[5.0]])))
    ad.set_attribute_(layer, "bias", None)
    close(layer(ad.array([[2.0]])), [[10.0]])
    equal(tuple(ad.parameters_of(layer)), ("weight",))


@behaviour(MUST, torch_func(CALL), torch(CALL))
def a_strict_call_takes_all_names(ad):
    """A strict call works with a dictionary of exactly the names that the module has: 5 * 2 + 13."""
    parameters = {"weight": ad.array([[5.0]]), "bias": ad.array([13.0])}
    close(ad.functional_call(ad.linear([[3.0]], [11.0]), parameters, ad.array([[2.0]]), strict=True), [[23.0]])
