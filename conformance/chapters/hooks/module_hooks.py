"""Hooks on modules: functions called with the gradients of a module's inputs and outputs."""

from conformance.behaviour import MAY, MUST, behaviour, torch
from conformance.expect import close, equal, raises

HOOK = "torch.nn.Module.register_full_backward_hook"
PREHOOK = "torch.nn.Module.register_full_backward_pre_hook"


def _write(ad, x):
    return ad.add_(x, 1.0)


def _leave(ad, x):
    return x


@behaviour(MUST, torch(HOOK), aliases=("register_full_backward_hook", "grad_input grad_output"))
def a_module_hook_is_given_both_gradients(ad):
    """A full backward hook is given the module and the gradients of its positional inputs and of its outputs, as
    tuples."""
    seen = []
    layer = ad.linear([[2.0, 3.0]])
    ad.register_module_hook(layer, lambda *given: seen.append(given))
    ad.backward(ad.np.sum(5 * layer(ad.leaf([[1.0, 1.0]]))))
    equal((len(seen), seen[0][0] is layer), (1, True))
    close(seen[0][1:], (([[10.0, 15.0]],), ([[5.0]],)))


@behaviour(MUST, torch(HOOK))
def a_module_hook_can_replace_the_input_gradients(ad):
    """The tuple that a full backward hook returns replaces the gradients of the module's inputs."""
    layer, x = ad.linear([[2.0, 3.0]]), ad.leaf([[1.0, 1.0]])
    ad.register_module_hook(layer, lambda module, inputs, outputs: (10 * inputs[0],))
    ad.backward(ad.np.sum(layer(x)))
    close(ad.gradient_of(x), [[20.0, 30.0]])


@behaviour(MUST, torch(HOOK))
def a_module_hook_runs_where_no_input_requires_grad(ad):
    """A full backward hook is called with the gradients of the outputs also where no input requires grad."""
    seen = []
    layer = ad.linear([[2.0, 3.0]])
    ad.register_module_hook(layer, lambda module, inputs, outputs: seen.append(outputs))
    ad.backward(ad.np.sum(5 * layer(ad.array([[1.0, 1.0]]))))
    close(seen, (([[5.0]],),))


@behaviour(MUST, torch(HOOK), aliases=("full backward hook not firing",))
def a_module_hook_does_not_run_where_no_output_requires_grad(ad):
    """A full backward hook is not called where no output of its module requires grad."""
    calls = []
    layer, w = ad.freeze_(ad.linear([[2.0, 3.0]]), False), ad.leaf(4.0)
    ad.register_module_hook(layer, lambda module, inputs, outputs: calls.append("called"))
    ad.backward(ad.np.sum(w * layer(ad.array([[1.0, 1.0]]))))
    close(ad.gradient_of(w), 5.0)
    equal(calls, [])


@behaviour(MUST, torch(PREHOOK, since="2.0"), aliases=("register_full_backward_pre_hook",))
def a_module_prehook_can_replace_the_output_gradients(ad):
    """The tuple that a full backward pre-hook returns replaces the gradients of the module's outputs."""
    layer, x = ad.linear([[2.0, 3.0]]), ad.leaf([[4.0, 5.0]])
    ad.register_module_prehook(layer, lambda module, outputs: (10 * outputs[0],))
    ad.backward(ad.np.sum(layer(x)))
    close(ad.gradient_of(x), [[20.0, 30.0]])
    close(ad.gradient_of(ad.attribute_of(layer, "weight")), [[40.0, 50.0]])


@behaviour(
    MUST,
    torch(HOOK, raises=Exception, says="inplace"),
    cases={"input": (_write, _leave), "output": (_leave, _write)},
    aliases=("backwardhookfunctionbackward is a view and is being modified inplace",),
)
def an_inplace_write_at_a_hooked_module_raises(ad, within, after):
    """In grad mode, modifying an input or an output of a module with a full backward hook in-place raises an error, if
    it requires grad."""
    module = ad.module(lambda module, x: 3 * within(ad, x))
    ad.register_module_hook(module, lambda module, inputs, outputs: None)
    raises(lambda: after(ad, module(2 * ad.leaf([1.0]))))


@behaviour(
    MUST,
    torch(HOOK, since="2.0"),
    torch(PREHOOK, since="2.0"),
    cases={
        "after": (lambda ad, layer, note: ad.register_module_hook(layer, note),),
        "before": (lambda ad, layer, note: ad.register_module_prehook(layer, note),),
    },
)
def module_hooks_run_in_order_of_registration(ad, register):
    """By default (prepend=False), the full backward hooks of a module run in the order of registration, and so do its
    pre-hooks."""
    order = []
    layer = ad.linear([[2.0, 3.0]])
    register(ad, layer, lambda module, *gradients: order.append("first"))
    register(ad, layer, lambda module, *gradients: order.append("second"))
    ad.backward(ad.np.sum(layer(ad.leaf([[1.0, 1.0]]))))
    equal(order, ["first", "second"])


@behaviour(MAY, torch(HOOK, unstated="the page has None for arguments that are no tensors, and nothing on unused ones"))
def a_module_hook_is_given_zeros_for_an_unused_input(ad):
    """A full backward hook is given zeros, not None, for a tensor that the module takes and does not use."""
    seen = []
    module = ad.module(lambda module, x, y: 3 * x)
    ad.register_module_hook(module, lambda module, inputs, outputs: seen.append(inputs))
    ad.backward(2 * module(ad.leaf(1.0), ad.leaf(1.0)))
    close(seen, ((6.0, 0.0),))


@behaviour(
    MUST,
    torch(HOOK, since="2.0"),
    torch(PREHOOK, since="2.0"),
    cases={
        "after": (lambda ad, layer, note, prepend: ad.register_module_hook(layer, note, prepend=prepend),),
        "before": (lambda ad, layer, note, prepend: ad.register_module_prehook(layer, note, prepend=prepend),),
    },
)
def a_prepended_module_hook_runs_first(ad, register):
    """With prepend=True, a full backward hook runs before all full backward hooks that its module has already, with
    prepend=False after them; the same holds for pre-hooks."""
    order = []
    layer = ad.linear([[2.0, 3.0]])
    register(ad, layer, lambda module, *gradients: order.append("first"), False)
    register(ad, layer, lambda module, *gradients: order.append("second"), False)
    register(ad, layer, lambda module, *gradients: order.append("prepended"), True)
    register(ad, layer, lambda module, *gradients: order.append("prepended last"), True)
    ad.backward(ad.np.sum(layer(ad.leaf([[1.0, 1.0]]))))
    equal(order, ["prepended last", "prepended", "first", "second"])


@behaviour(MUST, torch(HOOK))
def a_module_hook_is_given_none_for_what_is_no_tensor(ad):
    """Among the gradients of the inputs, a full backward hook is given None in the place of a positional argument that
    is not a tensor."""
    seen = []
    module = ad.module(lambda module, x, factor, y: (factor * x, 5 * y))
    ad.register_module_hook(module, lambda module, inputs, outputs: seen.append((inputs, outputs)))
    first, second = module(ad.leaf([1.0, 2.0]), 3.0, ad.leaf(4.0))
    ad.backward_of([first, second], [ad.array([7.0, 11.0]), ad.array(13.0)])
    close(seen, ((([21.0, 33.0], None, 65.0), ([7.0, 11.0], 13.0)),))


@behaviour(MUST, torch(HOOK), aliases=("full backward hook kwargs",))
def a_module_hook_is_not_given_gradients_of_keyword_arguments(ad):
    """Of the inputs, a full backward hook is given the gradients of positional arguments only, and not that of a tensor
    passed by keyword."""
    seen = []
    module = ad.module(lambda module, x, y: x * y)
    ad.register_module_hook(module, lambda module, inputs, outputs: seen.append(inputs))
    ad.backward(2 * module(ad.leaf(5.0), y=ad.leaf(3.0)))
    close(seen, ((6.0,),))


@behaviour(MUST, torch(PREHOOK, since="2.0"), torch(HOOK, since="2.0"))
def a_module_hook_is_given_what_a_prehook_returned(ad):
    """A full backward hook is given the gradients of the outputs that a full backward pre-hook returned, and the
    gradients of the inputs that are computed from them."""
    seen = []
    layer = ad.linear([[2.0, 3.0]])
    ad.register_module_hook(layer, lambda module, inputs, outputs: seen.append((inputs, outputs)))
    ad.register_module_prehook(layer, lambda module, outputs: (10 * outputs[0],))
    ad.backward(ad.np.sum(5 * layer(ad.leaf([[1.0, 1.0]]))))
    close(seen, ((([[100.0, 150.0]],), ([[50.0]],)),))


@behaviour(
    MUST,
    torch(HOOK),
    torch(PREHOOK, since="2.0"),
    cases={
        "after": (lambda ad, layer, note: ad.register_module_hook(layer, note),),
        "before": (lambda ad, layer, note: ad.register_module_prehook(layer, note),),
    },
)
def a_removed_module_hook_is_not_called(ad, register):
    """A full backward hook or pre-hook is no longer called after handle.remove(); another of the module still is."""
    calls = []
    layer, x = ad.linear([[2.0, 3.0]]), ad.leaf([[1.0, 1.0]])
    handle = register(ad, layer, lambda module, *gradients: calls.append("removed"))
    register(ad, layer, lambda module, *gradients: calls.append("kept"))
    ad.backward(ad.np.sum(layer(x)))
    ad.remove_hook(handle)
    ad.backward(ad.np.sum(layer(x)))
    equal(calls, ["removed", "kept", "kept"])
