"""Batching, ensembles: the parameters of several modules, stacked by stack_module_state for vmap."""

from conformance.behaviour import MAY, MUST, SHOULD, behaviour, torch
from conformance.expect import close, equal, raises

STACK = "torch.func.stack_module_state"


def _two_layers(ad):
    return ad.linear([[3.0, 4.0]], [5.0]), ad.linear([[6.0, 7.0]], [8.0])


@behaviour(MUST, torch(STACK), aliases=("model ensembling",))
def stack_module_state_stacks_the_parameters(ad):
    """stack_module_state returns two dictionaries by name: the parameters, stacked along a new first dimension, and the
    buffers, here none."""
    parameters, buffers = ad.stack_module_state(_two_layers(ad))
    close(parameters, {"weight": [[[3.0, 4.0]], [[6.0, 7.0]]], "bias": [[5.0], [8.0]]})
    equal(len(buffers), 0)


@behaviour(MUST, torch(STACK))
def stacked_parameters_are_new_leaves(ad):
    """Parameters that require grad, stacked by stack_module_state, are new leaves that require grad: backward()
    populates their .grad, and not that of the parameters of the modules."""
    first, second = _two_layers(ad)
    parameters, _ = ad.stack_module_state((first, second))
    weight, bias = parameters["weight"], parameters["bias"]
    equal((ad.is_leaf(weight), ad.is_leaf(bias), ad.requires_grad(weight), ad.requires_grad(bias)), (True,) * 4)
    ad.backward(ad.np.sum(ad.array([[10.0], [100.0]]) * bias * weight[:, 0]))
    close(ad.gradient_of(bias), [[70.0], [1300.0]])
    close(ad.gradient_of(weight), [[[50.0, 50.0]], [[800.0, 800.0]]])
    originals = ad.attribute_of(first, "bias"), ad.attribute_of(second, "bias")
    close((ad.gradient_of(originals[0]), ad.gradient_of(originals[1])), (None, None))


@behaviour(MAY, torch(STACK), aliases=("vmap over models",))
def vmap_over_stacked_parameters_runs_all_modules(ad):
    """vmap of functional_call over stacked parameters gives the outputs of all modules: 16 and 28 at (1, 2)."""
    layers = _two_layers(ad)
    parameters, _ = ad.stack_module_state(layers)
    outputs = ad.vmap(lambda own, x: ad.functional_call(layers[0], own, x), (0, None))
    close(outputs(parameters, ad.array([1.0, 2.0])), [[16.0], [28.0]])


@behaviour(
    MUST,
    torch(STACK),
    cases={
        "grad": (lambda ad, f, x: ad.grad(f)(x), [9.0, 11.0]),
        "jvp": (lambda ad, f, x: ad.jvp(f, (x,), (ad.array([10.0, 100.0]),)), (44.0, 1190.0)),
    },
    aliases=("jvp through vmap over stack_module_state",),
)
def modules_can_be_stacked_within_what_is_differentiated(ad, derivative, expected):
    """A function that grad or jvp differentiates can stack modules by stack_module_state, and vmap functional_call over
    them: the gradient of the sum of the outputs is the sum of the weights."""
    layers = _two_layers(ad)

    def total(x):
        parameters, _ = ad.stack_module_state(layers)
        return ad.np.sum(ad.vmap(lambda own: ad.functional_call(layers[0], own, x))(parameters))

    close(derivative(ad, total, ad.array([1.0, 2.0])), expected)


@behaviour(
    SHOULD,
    torch(STACK, raises=Exception, says="same"),
    cases={
        "mode": (lambda ad, layer: ad.eval_(layer),),
        "class": (lambda ad, layer: ad.module(lambda module, x: x, weight=ad.attribute_of(layer, "weight")),),
        "requires_grad": (lambda ad, layer: ad.freeze_(layer, False),),
    },
)
def modules_that_differ_cannot_be_stacked(ad, changed):
    """stack_module_state raises an error for modules that differ in class, in training mode or in requires_grad."""
    first, second = _two_layers(ad)
    raises(lambda: ad.stack_module_state((first, changed(ad, second))))
