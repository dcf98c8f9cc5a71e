"""Saved tensors, where they are kept: on the CPU, by no hooks, as they are, or as a copy that no write reaches."""

from conformance.behaviour import MAY, MUST, behaviour, torch
from conformance.expect import close, equal, raises

ON_CPU = "torch.autograd.graph.save_on_cpu"
DISABLED = "torch.autograd.graph.disable_saved_tensors_hooks"
IN_A_SCOPE = "Registering default hooks for saved tensors"
SCOPE = "torch.autograd.graph.saved_tensors_hooks"


@behaviour(MUST, torch("autograd", ON_CPU), aliases=("save_on_cpu, offload activations",))
def save_on_cpu_changes_no_gradient(ad):
    """Tensors saved under save_on_cpu are retrieved for the backward pass: the gradients of x²y with respect to x and y
    are 2xy and x², and the gradient of that x² is 2x."""
    x, y = ad.leaf([2.0, 3.0]), ad.leaf([5.0, 7.0])
    with ad.save_on_cpu():
        z = x**2 * y
    first = ad.grad_of(ad.np.sum(z), (x, y), create_graph=True)
    close(first, ([20.0, 42.0], [4.0, 9.0]))
    close(ad.grad_of(ad.np.sum(first[1]), x), ([4.0, 6.0],))


@behaviour(
    MUST,
    torch("autograd", DISABLED, raises=RuntimeError, says="not in this program"),
    cases={
        "hooks": (lambda ad: ad.saved_tensors_hooks(ad.detach, ad.clone),),
        "save_on_cpu": (lambda ad: ad.save_on_cpu(),),
    },
    aliases=("disable_saved_tensors_hooks",),
)
def disabled_saved_tensors_hooks_raise_an_error(ad, scope):
    """Under disable_saved_tensors_hooks the use of saved_tensors_hooks or save_on_cpu raises an error with the message
    that was given."""

    def save():
        with scope(ad):
            return ad.leaf(3.0) ** 2

    with ad.disable_saved_tensors_hooks("not in this program"):
        raises(save)


@behaviour(MUST, torch("autograd", DISABLED))
def saved_tensors_hooks_are_disabled_in_the_scope_only(ad):
    """After the scope of disable_saved_tensors_hooks, saved_tensors_hooks are applied again."""
    calls, x = [], ad.leaf(0.0)
    with ad.disable_saved_tensors_hooks("not in this program"):
        y = ad.np.exp(x)
    with ad.saved_tensors_hooks(lambda saved: (calls.append("packed"), ad.detach(saved))[1], lambda packed: packed):
        z = ad.np.exp(x)
    equal(calls, ["packed"])
    close((ad.grad_of(y, x), ad.grad_of(z, x)), ((1.0,), (1.0,)))


MUTATION = "torch.autograd.graph.allow_mutation_on_saved_tensors"


@behaviour(
    MUST,
    torch("autograd", MUTATION),
    cases={
        "tensor": (lambda ad, y: ad.mul_(y, 10.0), [20.0, 30.0]),
        "element": (lambda ad, y: ad.set_item_(y, 0, 7.0), [7.0, 3.0]),
        "view": (lambda ad, y: ad.mul_(y[1:], 10.0), [2.0, 30.0]),
        "twice": (lambda ad, y: ad.mul_(ad.add_(y, 1.0), 10.0), [30.0, 40.0]),
    },
    aliases=("allow_mutation_on_saved_tensors",),
)
def a_saved_tensor_can_be_modified_where_it_is_allowed(ad, write, expected):
    """Under allow_mutation_on_saved_tensors a tensor saved for backward can be modified in-place: backward() uses what
    was saved, so the gradient of y² is 2y with the former y."""
    x = ad.leaf([2.0, 3.0])
    with ad.allow_mutation_on_saved_tensors():
        y = ad.clone(x)
        output = ad.np.sum(y**2)
        _ = write(ad, y)
        ad.backward(output)
    close((ad.gradient_of(x), y), ([4.0, 6.0], expected))


@behaviour(MUST, torch("autograd", MUTATION))
def a_saved_output_can_be_modified_where_it_is_allowed(ad):
    """Under allow_mutation_on_saved_tensors the output that exp saves for backward can be modified in-place: exp(x),
    multiplied by 10 with mul_, has the derivative 10 at 0."""
    x = ad.leaf(0.0)
    with ad.allow_mutation_on_saved_tensors():
        y = ad.np.exp(x)
        ad.mul_(y, 10.0)
        ad.backward(y)
    close((y, ad.gradient_of(x)), (10.0, 10.0))


@behaviour(
    MUST,
    torch("autograd", MUTATION, raises=Exception, says="modified by an inplace operation"),
)
def outside_the_scope_a_saved_tensor_must_not_be_modified(ad):
    """After allow_mutation_on_saved_tensors, backward() raises an error again if a saved tensor was modified
    in-place."""
    y = ad.leaf([2.0, 3.0]) * 1
    with ad.allow_mutation_on_saved_tensors():
        _ = y**2
    output = ad.np.sum(y**2)
    ad.mul_(y, 10.0)
    raises(lambda: ad.backward(output))


@behaviour(
    MAY,
    torch("notes/autograd", IN_A_SCOPE),
    cases={"detached": (lambda ad, x: ad.detach(x),), "as_it_is": (lambda ad, x: x,)},
)
def saved_tensors_packed_as_they_are_share_memory(ad, pack):
    """With hooks that pack and unpack a tensor without a copy, the input that an operation saved shares memory with the
    original, but is another tensor object."""
    x = ad.leaf(3.0)
    with ad.saved_tensors_hooks(lambda x: pack(ad, x), lambda packed: packed):
        y = x**2
    saved = ad.saved_value(y, "self")
    equal((saved is x, ad.shares_memory(saved, x)), (False, True))


def _packed_output(ad, pack):
    with ad.saved_tensors_hooks(pack, lambda packed: packed):
        return ad.np.exp(ad.leaf(0.0))


@behaviour(
    MUST,
    torch("notes/autograd", IN_A_SCOPE, since="2.14"),
    torch("autograd", SCOPE),
    aliases=("saved_tensors_hooks reference cycle memory leak",),
)
def a_pack_hook_that_detaches_makes_no_cycle(ad):
    """With a pack_hook that returns a detached tensor, the output of exp, which exp saves, is freed with its last
    reference, though backward() never ran."""
    calls = []
    survives = ad.survives(lambda: _packed_output(ad, lambda saved: (calls.append("packed"), ad.detach(saved))[1]))
    equal((survives, calls), (False, ["packed"]))
