"""Hooks on modules: functions called with the gradients of a module's inputs and outputs."""

from conformance.behaviour import MUST, behaviour, torch
from conformance.expect import close, equal, raises

HOOK = "torch.nn.Module.register_full_backward_hook"
PREHOOK = "torch.nn.Module.register_full_backward_pre_hook"


@behaviour(MUST, torch(HOOK))
def a_module_hook_is_given_both_gradients(ad):
    """The hook is given the module, and the gradients of its inputs and of its outputs, each as a tuple."""
    seen = []
    layer = ad.linear([[2.0, 3.0]])
    ad.register_module_hook(layer, lambda module, inputs, outputs: seen.append((inputs, outputs)))
    ad.backward(ad.np.sum(5 * layer(ad.leaf([[1.0, 1.0]]))))
    close(seen, ((([[10.0, 15.0]],), ([[5.0]],)),))


@behaviour(MUST, torch(HOOK))
def a_module_hook_may_replace_the_gradient_of_its_input(ad):
    """The tuple that the hook returns takes the place of the gradients of the inputs."""
    layer, x = ad.linear([[2.0, 3.0]]), ad.leaf([[1.0, 1.0]])
    ad.register_module_hook(layer, lambda module, inputs, outputs: (10 * inputs[0],))
    ad.backward(ad.np.sum(layer(x)))
    close(ad.gradient_of(x), [[20.0, 30.0]])


@behaviour(MUST, torch(HOOK))
def a_module_hook_sees_nothing_at_a_plain_input(ad):
    """Where no input requires grad, the hook is called with None for the input's gradient."""
    seen = []
    layer = ad.linear([[2.0, 3.0]])
    ad.register_module_hook(layer, lambda module, inputs, outputs: seen.append((inputs, outputs)))
    ad.backward(ad.np.sum(5 * layer(ad.array([[1.0, 1.0]]))))
    close(seen, (((None,), ([[5.0]],)),))


@behaviour(MUST, torch(HOOK))
def a_frozen_module_calls_no_hook(ad):
    """Where no output of the module requires grad, the hook is not called."""
    calls = []
    layer, w = ad.freeze_(ad.linear([[2.0, 3.0]]), False), ad.leaf(4.0)
    ad.register_module_hook(layer, lambda module, inputs, outputs: calls.append("called"))
    ad.backward(ad.np.sum(w * layer(ad.array([[1.0, 1.0]]))))
    close(ad.gradient_of(w), 5.0)
    equal(calls, [])


@behaviour(MUST, torch(PREHOOK, since="2.0"))
def a_module_prehook_may_replace_the_gradient_of_its_output(ad):
    """What a module's backward pre-hook returns replaces the gradients of its outputs, before it runs backward."""
    layer, x = ad.linear([[2.0, 3.0]]), ad.leaf([[4.0, 5.0]])
    ad.register_module_prehook(layer, lambda module, outputs: (10 * outputs[0],))
    ad.backward(ad.np.sum(layer(x)))
    close(ad.gradient_of(x), [[20.0, 30.0]])
    close(ad.gradient_of(ad.attribute_of(layer, "weight")), [[40.0, 50.0]])


@behaviour(MUST, torch(HOOK, raises=RuntimeError, says="is being modified inplace"))
def a_hooked_module_forbids_writes(ad):
    """Writing in place into what a module with a hook returned is refused."""
    layer = ad.linear([[2.0, 3.0]])
    ad.register_module_hook(layer, lambda module, inputs, outputs: None)
    y = layer(ad.leaf([[1.0, 1.0]]))
    raises(lambda: ad.add_(y, 1.0))


@behaviour(
    MUST,
    torch(HOOK, since="2.0"),
    torch(PREHOOK, since="2.0"),
    cases={
        "after": (lambda ad, layer, note: ad.register_module_hook(layer, note),),
        "before": (lambda ad, layer, note: ad.register_module_prehook(layer, note),),
    },
)
def module_hooks_run_as_registered(ad, register):
    """Of several hooks of one module, the one that was registered first runs first."""
    order = []
    layer = ad.linear([[2.0, 3.0]])
    register(ad, layer, lambda module, *gradients: order.append("first"))
    register(ad, layer, lambda module, *gradients: order.append("second"))
    ad.backward(ad.np.sum(layer(ad.leaf([[1.0, 1.0]]))))
    equal(order, ["first", "second"])


@behaviour(MUST, torch(HOOK))
def a_module_hook_is_given_zeros_for_an_unused_input(ad):
    """The gradient of an input that the module does not use is zero for the hook, not None: an array has a gradient."""
    seen = []
    module = ad.module(lambda module, x, y: 3 * x)
    ad.register_module_hook(module, lambda module, inputs, outputs: seen.append(inputs))
    ad.backward(2 * module(ad.leaf(1.0), ad.leaf(1.0)))
    close(seen, ((6.0, 0.0),))
