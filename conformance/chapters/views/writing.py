"""Writing through views: what becomes of the base, of other views, and of their histories."""

from conformance.behaviour import MAY, MUST, behaviour, torch
from conformance.expect import close, equal, raises

WRITES = "In-place operations with autograd"


@behaviour(MUST, torch("notes/autograd", WRITES))
def a_write_through_a_view_is_differentiated_in_the_base(ad):
    """After an element of an array was multiplied by ten through a view, so is its part of the gradient."""
    x = ad.leaf([1.0, 2.0, 3.0])
    base = x * 1
    ad.mul_(base[:1], 10.0)
    ad.backward(ad.np.sum(base))
    close((base, ad.gradient_of(x)), ([10.0, 2.0, 3.0], [10.0, 1.0, 1.0]))


@behaviour(MUST, torch("notes/autograd", WRITES), was=("views.a_view_follows_a_write_into_its_base",))
def a_view_follows_its_base(ad):
    """A view that was taken before its base was written is differentiated as part of what was written."""
    x, base = ad.leaf([3.0, 4.0]), ad.array([0.0, 0.0])
    view = base[0]
    ad.copy_(base, 5 * x)
    ad.backward(view)
    close((view, ad.gradient_of(x)), (15.0, [5.0, 0.0]))


@behaviour(MUST, torch("notes/autograd", WRITES), was=("views.a_view_follows_a_write_into_another_view",))
def sibling_views_follow_a_write(ad):
    """What is written through one view shows in another view of the base, in its values and in its gradient."""
    x = ad.leaf([[1.0, 2.0], [3.0, 4.0]])
    base = x * 1
    written, other = ad.view_by(base, "transpose", 0, 1), ad.view(base, (4,))
    ad.mul_(written[0], 2.0)
    ad.backward(other, ad.array([1.0, 10.0, 100.0, 1000.0]))
    close(other, [2.0, 2.0, 6.0, 4.0])
    close(ad.gradient_of(x), [[2.0, 10.0], [200.0, 1000.0]])


@behaviour(MUST, torch("notes/autograd", WRITES), was=("views.a_write_makes_its_base_a_result",))
def a_write_through_a_view_makes_its_base_a_result(ad):
    """A plain array becomes a result when a tracked value is written through a view of it."""
    s, base = ad.leaf([5.0]), ad.array([1.0, 1.0, 1.0])
    ad.copy_(base[1:2], 2 * s)
    ad.backward(base, ad.array([1.0, 10.0, 100.0]))
    equal((ad.is_leaf(base), ad.requires_grad(base)), (False, True))
    close((base, ad.gradient_of(s)), ([1.0, 10.0, 1.0], [20.0]))


@behaviour(
    MUST,
    torch("torch.unsafe_split", raises=RuntimeError, says="function that returns multiple views"),
    cases={
        "unbind": (lambda ad, x: ad.view_by(x, "unbind"),),
        "split": (lambda ad, x: ad.view_by(x, "split", 1),),
        "chunk": (lambda ad, x: ad.view_by(x, "chunk", 2),),
    },
)
def one_of_several_views_cannot_be_overwritten(ad, views):
    """One of several views that a single operation returned cannot be written where that would be recorded."""
    first, _ = views(ad, ad.leaf([1.0, 2.0]) * 1)
    raises(lambda: ad.mul_(first, 2.0))


@behaviour(MAY, torch("notes/autograd", WRITES, raises=RuntimeError, says="created in no_grad mode"))
def a_view_made_unrecorded_cannot_be_overwritten(ad):
    """A view taken under no_grad cannot be written in place once operations are recorded again."""
    base = ad.leaf([1.0, 2.0]) * 1
    with ad.no_grad():
        view = base[:1]
    raises(lambda: ad.mul_(view, 2.0))


@behaviour(
    MUST,
    torch("torch.Tensor.detach_", raises=RuntimeError, says="view"),
    cases={"result": (lambda ad: ad.leaf([1.0, 2.0]) * 1,), "plain": (lambda ad: ad.array([1.0, 2.0]),)},
)
def a_view_cannot_detach_itself(ad, base):
    """A view of a result or of a plain array cannot be detached in place."""
    view = base(ad)[:1]
    raises(lambda: ad.detach_(view))


@behaviour(MUST, torch("torch.unsafe_split", raises=RuntimeError, says="function that returns multiple views"))
def a_part_of_one_of_several_views_cannot_be_overwritten(ad):
    """A part of one of several views that a single operation returned cannot be written either."""
    first, _ = ad.view_by(ad.leaf([[1.0, 2.0], [3.0, 4.0]]) * 1, "unbind")
    raises(lambda: ad.mul_(first[:1], 2.0))


@behaviour(MUST, torch("notes/autograd", WRITES), torch("tensor_view"))
def overlapping_windows_follow_a_write(ad):
    """Windows that overlap follow a write into their base: three elements times ten, the middle one in two windows."""
    x = ad.leaf([1.0, 2.0, 3.0])
    base = x * 1
    windows = ad.view_by(base, "unfold", 0, 2, 1)
    ad.mul_(base, 10.0)
    ad.backward(ad.np.sum(windows))
    close(ad.gradient_of(x), [10.0, 20.0, 10.0])
