"""Saved tensors: the values that an operation keeps for its backward, and how they can be stored otherwise."""

from conformance.behaviour import MAY, MUST, SHOULD, behaviour, document, torch
from conformance.expect import close, equal, raises

HOOKS = "Hooks for saved tensors"
ON_ONE_VALUE = "Registering hooks for a saved tensor"
IN_A_SCOPE = "Registering default hooks for saved tensors"
SCOPE = "torch.autograd.graph.saved_tensors_hooks"


@behaviour(MUST, torch("notes/autograd", HOOKS), document("004"))
def a_saved_value_is_packed_once(ad):
    """Within the scope of saved-tensor hooks, `pack` is called once with each value that is saved."""
    calls = []
    x = ad.leaf(0.0)
    with ad.saved_tensors_hooks(lambda saved: calls.append(ad.detach(saved)), lambda packed: ad.array(1.0)):
        _ = ad.np.exp(x)
    close(calls, (1.0,))


@behaviour(MUST, torch("notes/autograd", HOOKS))
def a_packed_value_may_be_anything(ad):
    """What `pack` returns is kept as it is, whatever it is, until `unpack` is given it."""
    calls = []
    x = ad.leaf(0.0)
    with ad.saved_tensors_hooks(lambda saved: "a file name", lambda packed: (calls.append(packed), ad.array(1.0))[1]):
        y = ad.np.exp(x)
    ad.backward(y)
    equal(calls[:1], ["a file name"])


@behaviour(MUST, torch("notes/autograd", HOOKS))
def nothing_is_unpacked_before_backward(ad):
    """`unpack` is not called before a backward pass needs the value."""
    calls = []
    x = ad.leaf(0.0)
    with ad.saved_tensors_hooks(ad.detach, calls.append):
        _ = ad.np.exp(x)
    equal(calls, [])


@behaviour(SHOULD, torch("notes/autograd", HOOKS), document("004"))
def an_unpacked_value_is_used(ad):
    """What `unpack` returns is what backward computes with, even where it is not what was packed."""
    x = ad.leaf(0.0)
    with ad.saved_tensors_hooks(ad.detach, lambda packed: packed * 7):
        y = ad.np.exp(x)
    ad.backward(y)
    close(ad.gradient_of(x), 7.0)


@behaviour(MUST, torch("notes/autograd", HOOKS))
def values_saved_outside_are_not_packed(ad):
    """An operation outside the scope keeps its values as they are, although backward runs within."""
    x = ad.leaf(0.0)
    y = ad.np.exp(x)
    with ad.saved_tensors_hooks(lambda saved: "stored", lambda packed: ad.array(7.0)):
        ad.backward(y)
    close(ad.gradient_of(x), 1.0)


@behaviour(MUST, torch("notes/autograd", HOOKS))
def a_saved_value_has_its_history(ad):
    """A saved result that is read back names as its creator the operation that saved it."""
    y = ad.np.exp(2 * ad.leaf(1.0))
    equal(ad.same_grad_fn(ad.saved_value(y, "result"), y), True)


@behaviour(MUST, torch("notes/autograd", HOOKS))
def an_unpacked_value_has_the_history_of_what_was_packed(ad):
    """A saved input that is unpacked has its history again, even if `pack` returned a value without history."""
    z = 2 * ad.leaf(3.0)
    with ad.saved_tensors_hooks(ad.detach, ad.clone):
        y = z**2
    equal(ad.same_grad_fn(ad.saved_value(y, "self"), z), True)


@behaviour(MUST, torch("notes/autograd", ON_ONE_VALUE))
def hooks_on_one_saved_value_pack_at_once(ad):
    """Hooks on what one operation has saved pack it when they are registered."""
    calls = []
    y = ad.leaf(3.0) ** 2
    ad.register_saved_hooks(y, "self", lambda saved: calls.append(ad.number_of(saved)), lambda packed: ad.array(3.0))
    equal(calls, [3.0])


@behaviour(MUST, torch("notes/autograd", ON_ONE_VALUE))
def hooks_on_one_saved_value_unpack_at_each_access(ad):
    """Hooks on one saved value unpack it when it is read, and once more when backward needs it: 2 times 5 is 10."""
    calls = []
    x = ad.leaf(3.0)
    y = x**2
    ad.register_saved_hooks(y, "self", lambda saved: 5.0, lambda packed: (calls.append(packed), ad.array(packed))[1])
    close(ad.saved_value(y, "self"), 5.0)
    ad.backward(y)
    close(ad.gradient_of(x), 10.0)
    equal(calls, [5.0, 5.0])


@behaviour(MUST, torch("notes/autograd", HOOKS, raises=RuntimeError, says="in place"))
def a_pack_hook_must_not_write(ad):
    """A pack hook that changes what it is given is refused, where the value is saved."""
    x = ad.leaf(0.0)
    with ad.saved_tensors_hooks(lambda saved: ad.add_(saved, 1.0), lambda packed: packed):
        raises(lambda: ad.np.exp(x))


def _factors(ad, x):
    return x * (2 * x)


def _own_function(ad, x):
    def forward(ctx, x):
        ad.save_for_backward_(ctx, x)
        return x * x

    return ad.custom_function(forward, lambda ctx, g: 2 * g * ad.saved(ctx)[0])(x)


SAVING = {"two_factors": (_factors, [3.0, 6.0]), "own_function": (_own_function, [3.0])}


@behaviour(MUST, torch("autograd", SCOPE), cases=SAVING)
def every_value_saved_in_the_scope_is_packed(ad, program, expected):
    """All that operations save in the scope is packed: both factors of a product, and what a Function keeps."""
    calls = []
    x = ad.leaf(3.0)
    with ad.saved_tensors_hooks(lambda saved: calls.append(ad.number_of(saved)), lambda packed: ad.array(0.0)):
        _ = program(ad, x)
    equal(sorted(calls), expected)


@behaviour(MUST, torch("notes/autograd", HOOKS))
def a_value_is_packed_once_and_unpacked_each_time(ad):
    """A value that three backward passes need is packed once, and unpacked three times."""
    calls = []
    x = ad.leaf(3.0)
    with ad.saved_tensors_hooks(lambda saved: calls.append("pack"), lambda packed: (calls.append("unpack"), x)[1]):
        y = x**2
    ad.backward(y, retain_graph=True)
    ad.backward(y, retain_graph=True)
    ad.backward(y)
    equal(calls, ["pack", "unpack", "unpack", "unpack"])


@behaviour(MUST, torch("notes/autograd", HOOKS))
def second_derivatives_pass_through_the_hooks(ad):
    """Values that were kept as plain numbers have second derivatives all the same: that of x cubed at 3 is 18."""
    x = ad.leaf(3.0)
    with ad.saved_tensors_hooks(ad.number_of, ad.array):
        y = x**3
    (first,) = ad.grad_of(y, x, create_graph=True)
    close(ad.grad_of(first, x), (18.0,))


@behaviour(MUST, torch("autograd", SCOPE))
def the_innermost_hooks_count(ad):
    """Where scopes are nested, a value is packed by the hooks of the innermost alone."""
    calls = []
    x = ad.leaf(0.0)
    with ad.saved_tensors_hooks(lambda saved: calls.append("outer"), lambda packed: x):
        with ad.saved_tensors_hooks(lambda saved: calls.append("inner"), lambda packed: x):
            _ = ad.np.exp(x)
        _ = ad.np.exp(x)
    equal(calls, ["inner", "outer"])


@behaviour(MAY, torch("notes/autograd", HOOKS))
def pack_and_unpack_run_unrecorded(ad):
    """What pack computes is not recorded, though the operation is; nor is what unpack computes for backward."""
    calls = []
    x = ad.leaf(3.0)
    with ad.saved_tensors_hooks(
        lambda saved: calls.append(ad.is_recording()), lambda packed: (calls.append(ad.is_recording()), x)[1]
    ):
        y = x**2
    ad.backward(y)
    equal(calls, [False, False])


@behaviour(MUST, torch("notes/autograd", IN_A_SCOPE))
def each_thread_has_its_own_hooks(ad):
    """What an operation in another thread saves is not packed, though the scope is open in this one."""
    calls = []
    x = ad.leaf(0.0)
    with ad.saved_tensors_hooks(lambda saved: calls.append("packed"), lambda packed: x):
        ad.in_thread(lambda: ad.np.exp(x))
        equal(calls, [])
        _ = ad.np.exp(x)
    equal(calls, ["packed"])


@behaviour(MUST, torch("autograd", SCOPE, raises=TypeError, says="Tensor"))
def an_unpack_hook_returns_an_array(ad):
    """An unpack hook that returns no array makes backward fail."""
    x = ad.leaf(0.0)
    with ad.saved_tensors_hooks(ad.detach, lambda packed: None):
        y = ad.np.exp(x)
    raises(lambda: ad.backward(y))
