"""Modules: frozen and shared parameters, registration, zero_grad() and state dictionaries."""

from conformance.behaviour import MAY, MUST, behaviour, jax, torch
from conformance.expect import close, equal, raises

SETTING = "Setting requires_grad"
NAMED = "torch.nn.Module.named_parameters"
PARAMETER = "torch.nn.parameter.Parameter"


def _twice(ad, layer):
    """A layer applied to its output, under the two names `first` and `second`."""

    def forward(module, x):
        return ad.attribute_of(module, "second")(ad.attribute_of(module, "first")(x))

    return ad.module(forward, first=layer, second=layer)


@behaviour(
    MUST,
    torch("torch.nn.Module.requires_grad_"),
    torch("notes/autograd", SETTING),
    cases={"off": (True, False), "on": (False, True)},
    aliases=("freeze layers",),
)
def module_requires_grad_sets_all_parameters(ad, before, flag):
    """Module.requires_grad_() sets requires_grad of all parameters in the module, and returns the module."""
    layer = ad.linear([[3.0]], [5.0])
    outer = ad.freeze_(ad.module(lambda module, x: x, inner=layer), before)
    equal(ad.freeze_(outer, flag) is outer, True)
    equal(ad.requires_grad(ad.attribute_of(layer, "weight")), flag)
    equal(ad.requires_grad(ad.attribute_of(layer, "bias")), flag)


@behaviour(MUST, torch("notes/autograd", SETTING), aliases=("freeze parameters",))
def a_frozen_layer_gets_no_gradient(ad):
    """Parameters frozen with requires_grad_(False) get no .grad in backward(); those of the next layer do."""
    first, second = ad.freeze_(ad.linear([[3.0]], [5.0]), False), ad.linear([[7.0]], [13.0])
    ad.backward(ad.np.sum(second(first(ad.array([[2.0]])))))
    equal(ad.gradient_of(ad.attribute_of(first, "weight")), None)
    equal(ad.gradient_of(ad.attribute_of(first, "bias")), None)
    close(ad.gradient_of(ad.attribute_of(second, "weight")), [[11.0]])
    close(ad.gradient_of(ad.attribute_of(second, "bias")), [1.0])


@behaviour(MUST, torch("notes/autograd", SETTING), aliases=("fine-tuning",))
def gradients_pass_through_a_frozen_layer(ad):
    """backward() passes through a frozen layer to an input that requires grad: the input of a layer 3x gets 3."""
    x = ad.leaf([[2.0]])
    ad.backward(ad.np.sum(ad.freeze_(ad.linear([[3.0]]), False)(x)))
    close(ad.gradient_of(x), [[3.0]])


@behaviour(MUST, torch("torch.Tensor.detach"), jax("jax.lax.stop_gradient"))
def detaching_a_parameter_in_one_term_stops_that_term(ad):
    """Detaching a parameter w in one term stops only that term's gradient: for 5*detach(w)*x + 7*w it is 7."""
    gradient = ad.grad(lambda x, weight: 5 * ad.detach(weight) * x + 7 * weight, argnums=(0, 1))
    close(gradient(ad.array(2.0), ad.array(3.0)), (15.0, 7.0))


@behaviour(
    MUST,
    torch("torch.optim.Optimizer.zero_grad", since="2.0"),
    torch("torch.nn.Module.zero_grad", since="2.0"),
    aliases=("set_to_none", "zero_grad none or zero"),
)
def zero_grad_sets_grad_to_none_by_default(ad):
    """Module.zero_grad() sets .grad of all parameters to None by default (set_to_none=True)."""
    layer = ad.linear([[3.0]], [5.0])
    ad.backward(ad.np.sum(layer(ad.array([[2.0]]))))
    ad.zero_gradients_(layer)
    equal(ad.gradient_of(ad.attribute_of(layer, "weight")), None)
    equal(ad.gradient_of(ad.attribute_of(layer, "bias")), None)


@behaviour(MUST, torch("torch.nn.Module.zero_grad"), torch("torch.optim.Optimizer.zero_grad"))
def zero_grad_can_set_grad_to_zeros(ad):
    """Module.zero_grad(set_to_none=False) sets .grad to zeros, for each parameter whose .grad is not None."""
    layer = ad.linear([[3.0]], [5.0])
    ad.backward(ad.np.sum(layer(ad.array([[2.0]]))))
    ad.zero_gradients_(layer, set_to_none=False)
    close(ad.gradient_of(ad.attribute_of(layer, "weight")), [[0.0]])
    close(ad.gradient_of(ad.attribute_of(layer, "bias")), [0.0])


def _tied(ad, layer):
    """Two layers, `first` and `second`, with one weight."""
    other = ad.linear([[7.0]])
    ad.set_attribute_(other, "weight", ad.attribute_of(layer, "weight"))
    return ad.module(lambda module, x: x, first=layer, second=other)


SHARING = {"module": (_twice,), "parameter": (_tied,)}


@behaviour(MUST, torch(NAMED), cases=SHARING)
def a_shared_parameter_is_listed_once(ad, sharing):
    """By default, named_parameters() lists a parameter that two submodules share only once."""
    equal(len(ad.parameters_of(sharing(ad, ad.linear([[3.0]])))), 1)


@behaviour(MUST, torch(NAMED), cases=SHARING)
def remove_duplicate_false_lists_all_names(ad, sharing):
    """named_parameters(remove_duplicate=False) lists a shared parameter under all its names."""
    parameters = ad.parameters_of(sharing(ad, ad.linear([[3.0]])), remove_duplicate=False)
    equal(set(parameters), {"first.weight", "second.weight"})


@behaviour(
    MUST, torch("notes/autograd", "How autograd encodes the history"), aliases=("weight tying", "shared weights")
)
def the_gradient_of_a_shared_parameter_sums_over_its_uses(ad):
    """The gradient of a shared (tied) parameter is the sum over its uses: for w*w*x at w = 3, x = 5 it is 30."""
    layer = ad.linear([[3.0]])
    ad.backward(ad.np.sum(_twice(ad, layer)(ad.array([[5.0]]))))
    close(ad.gradient_of(ad.attribute_of(layer, "weight")), [[30.0]])


@behaviour(MUST, torch(PARAMETER), aliases=("nn.parameter not in parameters()",))
def only_parameters_are_registered(ad):
    """Assigning a Parameter to a module registers it; another tensor is not registered, even if it requires grad."""
    learnt, tracked = ad.parameter(ad.array(2.0)), ad.leaf(5.0)
    equal(tuple(ad.parameters_of(ad.module(lambda module, x: x, tracked=tracked, learnt=learnt))), ("learnt",))


@behaviour(
    MAY,
    torch(PARAMETER, raises=Exception, says="as parameter", unstated="only the message of the error states it"),
    aliases=("cannot assign as parameter (torch.nn.parameter or none expected)",),
)
def a_parameter_cannot_be_replaced_by_a_tensor(ad):
    """Assigning a tensor that is not a Parameter to the name of a parameter raises an error."""
    layer = ad.linear([[3.0]])
    raises(lambda: ad.set_attribute_(layer, "weight", ad.array([[5.0]])))


@behaviour(MUST, torch("nn.init"), torch("notes/autograd", "No-grad Mode"))
def initializing_is_not_recorded(ad):
    """The functions of torch.nn.init are not recorded: the parameter is still a leaf that requires grad."""
    p = ad.parameter(ad.array([2.0, 3.0]))
    ad.init_ones_(p)
    close(p, [1.0, 1.0])
    equal((ad.is_leaf(p), ad.requires_grad(p)), (True, True))


@behaviour(
    MUST,
    torch(NAMED),
    cases={"own": (False, ["scale"]), "all": (True, ["inner.weight", "scale"])},
)
def recurse_false_lists_direct_members_only(ad, recurse, expected):
    """named_parameters(recurse=False) lists only direct members of the module, not parameters of its submodules."""
    scale = ad.parameter(ad.array(2.0))
    outer = ad.module(lambda module, x: x, scale=scale, inner=ad.linear([[3.0]]))
    equal(sorted(ad.parameters_of(outer, recurse=recurse)), expected)


@behaviour(MUST, torch(PARAMETER))
def a_parameter_can_be_replaced(ad):
    """Assigning a Parameter to the name of another replaces it, in the module's call and in its parameters."""
    layer, other = ad.linear([[3.0]], [11.0]), ad.parameter(ad.array([[5.0]]))
    ad.set_attribute_(layer, "weight", other)
    close(layer(ad.array([[2.0]])), [[21.0]])
    equal(set(ad.parameters_of(layer)), {"weight", "bias"})
    equal(ad.parameters_of(layer)["weight"] is other, True)


@behaviour(
    MUST,
    torch("torch.nn.Module.state_dict"),
    cases={"default": ({}, False), "keep_vars": ({"keep_vars": True}, True)},
    aliases=("state_dict requires_grad",),
)
def state_dict_is_detached_by_default(ad, options, tracked):
    """state_dict() returns tensors that are detached from autograd by default, and the parameters themselves with
    keep_vars=True."""
    layer = ad.linear([[3.0]], [5.0])
    state = ad.state_of(layer, **options)
    close((state["weight"], state["bias"]), ([[3.0]], [5.0]))
    equal((ad.requires_grad(state["weight"]), ad.requires_grad(state["bias"])), (tracked, tracked))
    own = ad.attribute_of(layer, "weight"), ad.attribute_of(layer, "bias")
    equal((state["weight"] is own[0], state["bias"] is own[1]), (tracked, tracked))


@behaviour(MUST, torch("torch.nn.Module.load_state_dict"))
def loading_a_state_dict_is_not_recorded(ad):
    """By default (assign=False), load_state_dict() copies the values into the module's parameters, which stay leaves
    and keep their requires_grad."""
    layer, source = ad.linear([[3.0]], [5.0]), ad.linear([[7.0]], [11.0])
    weight, bias = ad.attribute_of(layer, "weight"), ad.attribute_of(layer, "bias")
    ad.require_grad_(bias, False)
    ad.require_grad_(ad.attribute_of(source, "weight"), False)
    ad.load_state_(layer, ad.state_of(source, keep_vars=True))
    close((weight, bias), ([[7.0]], [11.0]))
    equal((ad.is_leaf(weight), ad.requires_grad(weight)), (True, True))
    equal((ad.is_leaf(bias), ad.requires_grad(bias)), (True, False))
