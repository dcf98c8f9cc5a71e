"""Saved tensors, packed: the hooks that pack and unpack what an operation keeps for backward."""

from conformance.behaviour import MAY, MUST, SHOULD, behaviour, torch
from conformance.expect import close, equal, raises

HOOKS = "Hooks for saved tensors"
SAVED = "Saved tensors"
ON_ONE_VALUE = "Registering hooks for a saved tensor"
IN_A_SCOPE = "Registering default hooks for saved tensors"
SCOPE = "torch.autograd.graph.saved_tensors_hooks"


@behaviour(MUST, torch("notes/autograd", HOOKS), torch("autograd", SCOPE), aliases=("pack_hook unpack_hook",))
def a_saved_value_is_packed_once(ad):
    """Under saved_tensors_hooks, pack_hook is called once for each tensor that an operation saves for backward."""
    calls = []
    x = ad.leaf(0.0)
    with ad.saved_tensors_hooks(lambda saved: calls.append(ad.detach(saved)), lambda packed: ad.array(1.0)):
        _ = ad.np.exp(x)
    close(calls, (1.0,))


@behaviour(
    MUST,
    torch("notes/autograd", HOOKS),
    cases={"text": ("a file name",), "tuple": (("a", 1),), "none": (None,)},
    aliases=("offload activations to cpu or disk, save_on_cpu",),
)
def pack_hook_may_return_any_object(ad, packed):
    """pack_hook may return any Python object, such as a file name; unpack_hook receives that object."""
    calls = []
    x = ad.leaf(0.0)
    with ad.saved_tensors_hooks(lambda saved: packed, lambda given: (calls.append(given), ad.array(1.0))[1]):
        y = ad.np.exp(x)
    ad.backward(y)
    equal(calls[:1], [packed])


@behaviour(MUST, torch("autograd", SCOPE))
def nothing_is_unpacked_before_backward(ad):
    """unpack_hook is not called when an operation saves a tensor, but when backward() needs it."""
    calls = []
    x = ad.leaf(0.0)
    with ad.saved_tensors_hooks(ad.detach, lambda packed: (calls.append("unpacked"), packed)[1]):
        y = ad.np.exp(x)
    equal(calls, [])
    ad.backward(y)
    equal(calls[:1], ["unpacked"])


@behaviour(SHOULD, torch("notes/autograd", HOOKS))
def an_unpacked_value_is_used(ad):
    """backward() uses what unpack_hook returns: for exp, 7 times the saved output gives 7 times the gradient."""
    x = ad.leaf(0.0)
    with ad.saved_tensors_hooks(ad.detach, lambda packed: packed * 7):
        y = ad.np.exp(x)
    ad.backward(y)
    close(ad.gradient_of(x), 7.0)


@behaviour(MUST, torch("notes/autograd", IN_A_SCOPE))
def values_saved_outside_are_not_packed(ad):
    """saved_tensors_hooks have no effect on tensors that were saved before, even if backward() runs in their scope, nor
    on those saved after it."""
    x = ad.leaf(0.0)
    y = ad.np.exp(x)
    with ad.saved_tensors_hooks(lambda saved: "stored", lambda packed: ad.array(7.0)):
        ad.backward(y)
    ad.backward(10 * ad.np.exp(x))
    close(ad.gradient_of(x), 11.0)


@behaviour(
    MUST,
    torch("notes/autograd", IN_A_SCOPE, since="2.14"),
    torch("notes/autograd", SAVED),
    aliases=("_saved_result, _saved_self",),
)
def a_saved_output_has_its_grad_fn(ad):
    """The output that an operation saved (grad_fn._saved_result) has the same grad_fn as the output itself."""
    y = ad.np.exp(2 * ad.leaf(1.0))
    equal(ad.same_grad_fn(ad.saved_value(y, "result"), y), True)


@behaviour(MUST, torch("notes/autograd", HOOKS), torch("notes/autograd", IN_A_SCOPE, since="2.14"))
def an_unpacked_tensor_has_the_grad_fn_of_the_packed_one(ad):
    """An unpacked input (grad_fn._saved_self) has the input's grad_fn, even if pack_hook returned a detached tensor."""
    z = 2 * ad.leaf(3.0)
    with ad.saved_tensors_hooks(ad.detach, ad.clone):
        y = z**2
    equal(ad.same_grad_fn(ad.saved_value(y, "self"), z), True)


@behaviour(MUST, torch("notes/autograd", ON_ONE_VALUE), aliases=("_raw_saved_self, savedtensor",))
def hooks_on_one_saved_tensor_pack_at_once(ad):
    """register_hooks() on one saved tensor (grad_fn._raw_saved_self) calls pack_hook immediately."""
    calls = []
    y = ad.leaf(3.0) ** 2
    ad.register_saved_hooks(y, "self", lambda saved: calls.append(ad.number_of(saved)), lambda packed: ad.array(3.0))
    equal(calls, [3.0])


@behaviour(MUST, torch("notes/autograd", ON_ONE_VALUE))
def hooks_on_one_saved_tensor_unpack_at_each_access(ad):
    """Hooks on one saved tensor call unpack_hook when grad_fn._saved_self is read, and again in backward()."""
    calls = []
    x = ad.leaf(3.0)
    y = x**2
    ad.register_saved_hooks(y, "self", ad.number_of, lambda packed: (calls.append(packed), ad.array(packed))[1])
    close(ad.saved_value(y, "self"), 3.0)
    equal(calls, [3.0])
    ad.backward(y)
    close(ad.gradient_of(x), 6.0)
    equal(calls[1:2], [3.0])


@behaviour(
    MUST,
    torch("notes/autograd", HOOKS, raises=Exception, says="pack hook"),
    cases={
        "add": (lambda ad, saved: ad.add_(saved, 1.0),),
        "element": (lambda ad, saved: ad.set_item_(saved, 1, 7.0),),
    },
    aliases=("a saved tensor pack hook is modifying its input in place",),
)
def a_pack_hook_must_not_modify_its_input(ad, write):
    """A pack_hook that modifies its input in-place raises an error in the operation that saves the tensor."""
    x = ad.leaf([0.0, 1.0])
    with ad.saved_tensors_hooks(lambda saved: write(ad, saved), lambda packed: packed):
        raises(lambda: ad.np.exp(x))


def _factors(ad, x):
    return x * (2 * x)


def _own_function(ad, x):
    def forward(ctx, x):
        ad.save_for_backward_(ctx, x)
        return x * x

    return ad.custom_function(forward, lambda ctx, g: 2 * g * ad.saved(ctx)[0])(x)


def _square(ad, x):
    return x * x


SAVING = {
    "two_factors": (_factors, [3.0, 6.0]),
    "one_factor_twice": (_square, [3.0, 3.0]),
    "own_function": (_own_function, [3.0]),
}


@behaviour(MUST, torch("autograd", SCOPE), cases=SAVING)
def every_value_saved_in_the_scope_is_packed(ad, program, expected):
    """saved_tensors_hooks pack all saved tensors: both factors of a product, also if they are one tensor, and what a
    custom Function saves."""
    calls = []
    x = ad.leaf(3.0)
    with ad.saved_tensors_hooks(lambda saved: calls.append(ad.number_of(saved)), lambda packed: ad.array(0.0)):
        _ = program(ad, x)
    equal(sorted(calls), expected)


@behaviour(MUST, torch("notes/autograd", HOOKS), torch("autograd", SCOPE))
def a_value_is_packed_once_and_unpacked_each_time(ad):
    """A saved tensor that two backward passes need is packed once, and unpacked in each of them."""
    seen, calls = [], []
    x = ad.leaf(3.0)
    with ad.saved_tensors_hooks(lambda saved: seen.append("packed"), lambda packed: (calls.append("unpacked"), x)[1]):
        y = x**2
    ad.backward(y, retain_graph=True)
    in_the_first = len(calls)
    ad.backward(y)
    equal(len(seen), 1)
    equal((in_the_first > 0, len(calls) > in_the_first), (True, True))


@behaviour(MUST, torch("notes/autograd", HOOKS), torch("notes/autograd", IN_A_SCOPE, since="2.14"))
def double_backward_works_with_hooks(ad):
    """Double backward works with saved tensors packed as Python numbers: the second derivative of x³ at 3 is 18."""
    x = ad.leaf(3.0)
    with ad.saved_tensors_hooks(ad.number_of, ad.array):
        y = x**3
    (first,) = ad.grad_of(y, x, create_graph=True)
    close(ad.grad_of(first, x), (18.0,))


@behaviour(MUST, torch("autograd", SCOPE))
def only_the_innermost_hooks_are_applied(ad):
    """In nested scopes of saved_tensors_hooks, only the innermost pair of hooks is applied."""
    calls, x = [], ad.leaf(0.0)

    def pair(name):
        return lambda saved: (name, ad.detach(saved)), lambda packed: (calls.append((name, packed[0])), packed[1])[1]

    with ad.saved_tensors_hooks(*pair("outer")):
        with ad.saved_tensors_hooks(*pair("inner")):
            y = ad.np.exp(x)
        z = ad.np.exp(x)
    ad.backward(y)
    ad.backward(z)
    equal((calls[:1], calls[-1:]), ([("inner", "inner")], [("outer", "outer")]))


@behaviour(MUST, torch("notes/autograd", IN_A_SCOPE, since="2.14"))
def a_pack_hook_is_not_recorded(ad):
    """pack_hook runs with gradient tracking disabled: what it computes is not recorded."""
    calls = []
    x = ad.leaf(3.0)
    with ad.saved_tensors_hooks(lambda saved: calls.append(ad.requires_grad(2 * saved)), lambda packed: x):
        _ = x**2
    equal(calls, [False])


@behaviour(MUST, torch("notes/autograd", IN_A_SCOPE))
def each_thread_has_its_own_hooks(ad):
    """saved_tensors_hooks are thread-local: tensors saved in another thread are not packed."""
    calls = []
    x = ad.leaf(0.0)
    with ad.saved_tensors_hooks(lambda saved: calls.append("packed"), lambda packed: x):
        ad.in_thread(lambda: ad.np.exp(x))
        equal(calls, [])
        _ = ad.np.exp(x)
    equal(calls, ["packed"])


@behaviour(
    SHOULD,
    torch("autograd", SCOPE, raises=Exception, says="a Tensor"),
    aliases=("output of saved tensor unpack_hook expected to be a tensor",),
)
def an_unpack_hook_must_return_a_tensor(ad):
    """backward() raises an error if unpack_hook returns None instead of a tensor."""
    x = ad.leaf(0.0)
    with ad.saved_tensors_hooks(ad.detach, lambda packed: None):
        y = ad.np.exp(x)
    raises(lambda: ad.backward(y))


@behaviour(
    MUST,
    torch("autograd", "Autograd graph"),
    torch("notes/autograd", SAVED),
    cases={
        "input": (lambda ad, x: x**2, "self", [0.0, 3.0]),
        "output": (lambda ad, x: ad.np.exp(x), "result", [1.0, 20.085536923187668]),
    },
)
def what_an_operation_saved_is_an_attribute_of_its_node(ad, program, name, expected):
    """What an operation of PyTorch saves for backward is an attribute of its grad_fn whose name begins with _saved: for
    x² the input x (_saved_self), for exp the output (_saved_result)."""
    y = program(ad, ad.leaf([0.0, 3.0]))
    close(ad.saved_value(y, name), expected)


@behaviour(
    MAY,
    torch(
        "notes/autograd",
        ON_ONE_VALUE,
        raises=Exception,
        says="free",
        unstated="the section has an error most of the time, and undefined behaviour else",
    ),
)
def hooks_on_a_released_saved_tensor_raise_an_error(ad):
    """Registering hooks on a saved tensor after backward() has released it raises an error most of the
    time: here, on the base of a square."""
    y = ad.leaf(3.0) ** 2
    ad.backward(y)
    raises(lambda: ad.register_saved_hooks(y, "self", ad.detach, lambda packed: packed))


@behaviour(MUST, torch("notes/autograd", IN_A_SCOPE, since="2.14"))
def a_pack_hook_of_a_scope_is_given_a_tensor_with_its_grad_fn(ad):
    """In the scope of saved_tensors_hooks, pack_hook is given the tensor that is saved, with its grad_fn."""
    seen = []
    z = 2 * ad.leaf(3.0)
    with ad.saved_tensors_hooks(lambda saved: (seen.append(saved), ad.detach(saved))[1], lambda packed: packed):
        _ = z**2
    close(seen, (6.0,))
    equal((ad.same_grad_fn(seen[0], z), ad.requires_grad(seen[0])), (True, True))


@behaviour(MUST, torch("notes/autograd", IN_A_SCOPE, since="2.14"))
def hooks_on_one_saved_tensor_are_given_it_detached(ad):
    """The pack_hook that register_hooks() sets for one saved tensor is given a detached tensor."""
    seen = []
    y = (2 * ad.leaf(3.0)) ** 2
    ad.register_saved_hooks(y, "self", lambda saved: (seen.append(saved), saved)[1], lambda packed: packed)
    close(seen, (6.0,))
    equal(ad.requires_grad(seen[0]), False)
