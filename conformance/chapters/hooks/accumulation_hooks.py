"""Post-accumulate-grad hooks: functions called with a leaf once its gradient is in `.grad`."""

from conformance.behaviour import MAY, MUST, behaviour, torch
from conformance.expect import close, equal, raises

PAGE = "torch.Tensor.register_post_accumulate_grad_hook"
SINCE = "2.1"


@behaviour(
    MUST, torch(PAGE, since=SINCE), aliases=("register_post_accumulate_grad_hook", "hook after gradient accumulation")
)
def a_post_accumulate_hook_runs_after_accumulation(ad):
    """A post-accumulate-grad hook is called once, with the leaf, after backward() has accumulated into `.grad`."""
    seen = []
    x = ad.leaf(2.0)
    ad.backward(3 * x)
    ad.register_post_accumulate_hook(x, lambda leaf: seen.append((leaf is x, ad.number_of(ad.gradient_of(leaf)))))
    ad.backward(3 * x + x)
    equal(seen, [(True, 7.0)])


@behaviour(MUST, torch(PAGE, since=SINCE, raises=Exception, says="leaf"))
def a_post_accumulate_hook_on_a_non_leaf_raises(ad):
    """Registering a post-accumulate-grad hook on a non-leaf tensor raises an error."""
    raises(lambda: ad.register_post_accumulate_hook(2 * ad.leaf(1.0), lambda leaf: None))


@behaviour(
    MAY,
    torch(PAGE, since=SINCE, raises=Exception, says="require grad", unstated="only the message of the error states it"),
)
def a_post_accumulate_hook_requires_grad(ad):
    """Registering a post-accumulate-grad hook on a tensor with requires_grad=False raises an error."""
    raises(lambda: ad.register_post_accumulate_hook(ad.array(1.0), lambda leaf: None))


@behaviour(MUST, torch(PAGE, since=SINCE), aliases=("optimizer step in backward",))
def a_post_accumulate_hook_can_update_the_leaf(ad):
    """A post-accumulate-grad hook can update its leaf in-place with `.grad`, and then set `.grad` to None."""
    x = ad.leaf(2.0)

    def step(leaf):
        ad.sub_(leaf, ad.gradient_of(leaf))
        ad.set_gradient_(leaf, None)

    ad.register_post_accumulate_hook(x, step)
    ad.backward(3 * x)
    close(x, -1.0)
    equal(ad.gradient_of(x), None)


@behaviour(MUST, torch(PAGE, since=SINCE), cases={"plain": (False, [False]), "create_graph": (True, [True])})
def a_post_accumulate_hook_runs_in_no_grad_mode(ad, create_graph, expected):
    """A post-accumulate-grad hook runs in no_grad mode, unless backward() is called with create_graph=True."""
    seen = []
    x = ad.leaf(2.0)
    ad.register_post_accumulate_hook(x, lambda leaf: seen.append(ad.is_recording()))
    ad.backward(x * x, create_graph=create_graph)
    equal(seen, expected)


@behaviour(
    MUST,
    torch("notes/autograd", "Backward Hooks execution", since=SINCE),
    cases={
        "grad": (lambda ad, output, x, z: ad.grad_of(output, x),),
        "inputs": (lambda ad, output, x, z: ad.backward(output, inputs=[z]),),
    },
)
def a_post_accumulate_hook_does_not_run_for_grad(ad, differentiate):
    """A post-accumulate-grad hook is not called when grad returns the gradient instead of adding it to `.grad`, nor
    when backward(inputs=...) leaves the `.grad` of the leaf as it is."""
    seen = []
    x, z = ad.leaf(2.0), ad.leaf(3.0)
    ad.register_post_accumulate_hook(x, lambda leaf: seen.append("called"))
    differentiate(ad, 5 * x * z, x, z)
    equal((seen, ad.gradient_of(x)), ([], None))


@behaviour(MAY, torch(PAGE, since=SINCE))
def a_post_accumulate_hook_can_return_what_an_inplace_operation_returns(ad):
    """A post-accumulate-grad hook can return its leaf, as an in-place operation on the leaf does."""
    x = ad.leaf([5.0, 7.0])
    ad.register_post_accumulate_hook(x, lambda leaf: ad.sub_(leaf, ad.gradient_of(leaf)))
    ad.backward(x, ad.array([1.0, 2.0]))
    close(x, [4.0, 5.0])


@behaviour(MUST, torch(PAGE, since=SINCE))
def a_removed_post_accumulate_hook_is_not_called(ad):
    """A post-accumulate-grad hook is not called in a backward pass that begins after handle.remove(); another hook on
    the same leaf still is."""
    seen = []
    x = ad.leaf(2.0)
    handle = ad.register_post_accumulate_hook(x, lambda leaf: seen.append("removed"))
    ad.register_post_accumulate_hook(x, lambda leaf: seen.append("kept"))
    ad.backward(3 * x)
    ad.remove_hook(handle)
    ad.backward(5 * x)
    equal(seen, ["removed", "kept", "kept"])
