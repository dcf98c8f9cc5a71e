"""Views modified in-place: the base, the other views, and the gradients afterwards."""

from conformance.behaviour import MAY, MUST, behaviour, torch
from conformance.expect import close, equal, raises

WRITES = "In-place operations with autograd"
CHECKS = "In-place correctness checks"


@behaviour(
    MUST,
    torch("notes/autograd", CHECKS),
    torch("tensor_view"),
    cases={
        "row": (lambda ad, y: y[1], [[1.0, 2.0, 3.0], [40.0, 50.0, 60.0]]),
        "column": (lambda ad, y: y[:, 2], [[1.0, 2.0, 30.0], [4.0, 5.0, 60.0]]),
        "steps": (lambda ad, y: y[:, ::2], [[10.0, 2.0, 30.0], [40.0, 5.0, 60.0]]),
        "transpose": (lambda ad, y: ad.view_by(y, "transpose", 0, 1)[1:], [[1.0, 20.0, 30.0], [4.0, 50.0, 60.0]]),
        "diagonal": (lambda ad, y: ad.view_by(y, "diagonal"), [[10.0, 2.0, 3.0], [4.0, 50.0, 6.0]]),
        "reshaped": (lambda ad, y: ad.view(y, (3, 2))[1], [[1.0, 2.0, 30.0], [40.0, 5.0, 6.0]]),
    },
    aliases=("copyslices",),
)
def a_write_through_a_view_is_differentiated_in_the_base(ad, view, expected):
    """In grad mode, multiplying a view of a non-leaf by 10 in-place multiplies the gradient through these elements of
    the base by 10."""
    x = ad.leaf([[1.0, 1.0, 1.0], [1.0, 1.0, 1.0]])
    base = x * 1
    ad.mul_(view(ad, base), 10.0)
    ad.backward(base, ad.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]))
    close(ad.gradient_of(x), expected)


@behaviour(
    MUST,
    torch("notes/autograd", CHECKS),
    torch("tensor_view"),
)
def a_view_follows_its_base(ad):
    """In grad mode, a view that was taken before base.copy_(y) has the values of y after it, and its gradient flows to
    y."""
    x, base = ad.leaf([3.0, 4.0]), ad.array([0.0, 0.0])
    view = base[0]
    ad.copy_(base, 5 * x)
    ad.backward(view)
    close((view, ad.gradient_of(x)), (15.0, [5.0, 0.0]))


@behaviour(
    MUST,
    torch("notes/autograd", CHECKS),
    torch("tensor_view"),
)
def sibling_views_follow_a_write(ad):
    """In grad mode, after an in-place operation on one view of a non-leaf, the other views have the new values, and the
    gradients through them include the operation."""
    x = ad.leaf([[1.0, 2.0], [3.0, 4.0]])
    base = x * 1
    written, other = ad.view_by(base, "transpose", 0, 1), ad.view(base, (4,))
    ad.mul_(written[0], 2.0)
    ad.backward(other, ad.array([1.0, 10.0, 100.0, 1000.0]))
    close(other, [2.0, 2.0, 6.0, 4.0])
    close(ad.gradient_of(x), [[2.0, 10.0], [200.0, 1000.0]])


@behaviour(
    MUST,
    torch("notes/autograd", CHECKS),
    torch("notes/autograd", WRITES),
)
def a_write_through_a_view_makes_its_base_a_non_leaf(ad):
    """In grad mode, copying a tensor that requires grad in-place into a view of a tensor that does not makes this base
    a non-leaf that requires grad."""
    s, base = ad.leaf([5.0]), ad.array([1.0, 1.0, 1.0])
    ad.copy_(base[1:2], 2 * s)
    ad.backward(base, ad.array([1.0, 10.0, 100.0]))
    equal((ad.is_leaf(base), ad.requires_grad(base)), (False, True))
    close((base, ad.gradient_of(s)), ([1.0, 10.0, 1.0], [20.0]))


@behaviour(
    MUST,
    torch("torch.unsafe_split", raises=Exception, says="multiple views"),
    torch("torch.unsafe_chunk", raises=Exception, says="multiple views"),
    cases={
        "split": (lambda ad, x: ad.view_by(x, "split", 1),),
        "chunk": (lambda ad, x: ad.view_by(x, "chunk", 2),),
    },
    aliases=(
        "this view is the output of a function that returns multiple views",
        "unbindbackward, splitbackward, chunkbackward inplace",
    ),
)
def one_of_several_views_cannot_be_modified_in_place(ad, views):
    """In grad mode, modifying one of several views from split() or chunk() raises an error if they require grad."""
    first, _ = views(ad, ad.leaf([1.0, 2.0]) * 1)
    raises(lambda: ad.mul_(first, 2.0))


@behaviour(
    MAY,
    torch(
        "notes/autograd", WRITES, raises=Exception, says="no_grad", unstated="only the message of the error states it"
    ),
    aliases=("a view was created in no_grad mode and is being modified inplace with grad mode enabled",),
)
def a_view_taken_under_no_grad_cannot_be_modified_in_place(ad):
    """In grad mode, modifying a view that was taken under no_grad raises an error if its base requires grad."""
    base = ad.leaf([1.0, 2.0]) * 1
    with ad.no_grad():
        view = base[:1]
    raises(lambda: ad.mul_(view, 2.0))


@behaviour(
    MUST,
    torch("torch.Tensor.detach_", raises=Exception, says="detach views"),
    cases={"result": (lambda ad: ad.leaf([1.0, 2.0]) * 1,), "plain": (lambda ad: ad.array([1.0, 2.0]),)},
)
def detach_in_place_of_a_view_raises_an_error(ad, base):
    """detach_() of a view raises an error, whether or not its base requires grad."""
    view = base(ad)[:1]
    raises(lambda: ad.detach_(view))


@behaviour(MUST, torch("torch.unsafe_split", raises=Exception, says="multiple views"))
def a_view_of_one_of_several_views_cannot_be_modified_in_place(ad):
    """In grad mode, modifying a slice of one of the views from split() raises an error if they require grad."""
    first, _ = ad.view_by(ad.leaf([[1.0, 2.0], [3.0, 4.0]]) * 1, "split", 1)
    raises(lambda: ad.mul_(first[:, :1], 2.0))


@behaviour(MUST, torch("notes/autograd", CHECKS), torch("tensor_view"))
def overlapping_windows_follow_a_write(ad):
    """Overlapping windows (unfold) of y = 1 * x, taken before y.mul_(10), reflect the write: the gradient of their sum
    with respect to x is [10, 20, 10]."""
    x = ad.leaf([1.0, 2.0, 3.0])
    base = x * 1
    windows = ad.view_by(base, "unfold", 0, 2, 1)
    ad.mul_(base, 10.0)
    ad.backward(ad.np.sum(windows))
    close(ad.gradient_of(x), [10.0, 20.0, 10.0])


@behaviour(
    MUST,
    torch("tensor_view"),
    cases={
        "split": (lambda ad, x: ad.view_by(x, "split", 1)[1],),
        "chunk": (lambda ad, x: ad.view_by(x, "chunk", 2)[1],),
        "unbind": (lambda ad, x: ad.view_by(x, "unbind")[1],),
    },
)
def one_of_several_views_can_be_modified_where_nothing_requires_grad(ad, view):
    """Modifying in-place one of several views from split(), chunk() or unbind() of a tensor with requires_grad=False
    modifies the base."""
    base = ad.array([1.0, 2.0])
    ad.mul_(view(ad, base), 10.0)
    close(base, [1.0, 20.0])


@behaviour(
    MUST,
    torch("torch.unsafe_split"),
    torch("torch.unsafe_chunk"),
    cases={
        "split": (lambda ad, x: ad.view_by(x, "unsafe_split", 2),),
        "chunk": (lambda ad, x: ad.view_by(x, "unsafe_chunk", 2),),
    },
    aliases=("unsafe_split, unsafe_chunk",),
)
def an_output_of_an_unsafe_split_can_be_modified_in_place(ad, pieces):
    """If only the outputs of unsafe_split or unsafe_chunk are modified in-place, this raises no error, and the gradient
    of the input is that of the modified outputs."""
    x = ad.leaf([1.0, 2.0, 3.0])
    first, second = pieces(ad, x * 1)
    ad.mul_(first, 10.0)
    ad.mul_(second, 4.0)
    ad.backward(ad.np.sum(first) + 7 * ad.np.sum(second))
    close((first, second, ad.gradient_of(x)), ([10.0, 20.0], [12.0], [10.0, 10.0, 28.0]))
