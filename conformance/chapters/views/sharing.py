"""Views: tensors that share memory with their base, and copies that do not."""

from conformance.behaviour import MAY, MUST, behaviour, document, jax, torch
from conformance.expect import close, equal

CHECKS = "In-place correctness checks"
SMOOTH = "Gradients for non-differentiable functions"


@behaviour(MUST, torch("tensor_view"), document("002"), aliases=("do views share memory",))
def a_slice_shares_memory(ad):
    """A slice is a view: copy_() into the .data of the slice changes the tensor that was sliced."""
    v = ad.parameter(ad.array([1.0, 2.0, 3.0]))
    ad.copy_(ad.data_of(v[:2]), ad.array([8.0, 9.0]))
    close(v, [8.0, 9.0, 3.0])


@behaviour(MUST, torch("torch.clone"), document("002"), aliases=("clone vs detach vs copy",))
def a_clone_does_not_share_memory(ad):
    """A clone is a copy: modifying it in-place does not change the tensor that was cloned."""
    v = ad.parameter(ad.array([1.0, 2.0, 3.0]))
    copied = ad.clone(v[:2])
    ad.copy_(ad.data_of(copied), ad.array([8.0, 9.0]))
    close((copied, v), ([8.0, 9.0], [1.0, 2.0, 3.0]))


@behaviour(MAY, torch("torch.autograd.graph.Node.name"), document("002"), aliases=("clonebackward0",))
def a_clone_has_a_grad_fn(ad):
    """In grad mode clone() of a tensor that requires grad is recorded in the graph: its grad_fn is CloneBackward0."""
    equal(ad.grad_fn_name(ad.clone(ad.leaf([1.0, 2.0]))), "CloneBackward0")


@behaviour(MUST, torch("torch.clone"), jax("jax.grad"), document("002"), aliases=("differentiable copy",))
def a_gradient_passes_through_a_clone(ad):
    """A copy of a tensor (clone) is differentiable: its gradient flows back to the tensor that was copied."""
    gradient = ad.grad(lambda x: ad.np.sum(3 * ad.clone(x[:2])))
    close(gradient(ad.array([1.0, 2.0, 5.0])), [3.0, 3.0, 0.0])


@behaviour(
    MUST, torch("torch.Tensor.view"), torch("torch.Tensor.backward"), torch("notes/autograd", SMOOTH), document("001")
)
def a_view_stays_in_the_graph(ad):
    """A view of a non-leaf is differentiable: backward() with a `gradient` of the view's shape reaches the leaf."""
    x = ad.leaf([1.0, 2.0, 3.0, 4.0])
    z = ad.view(2 * x, (2, 2))
    ad.backward(z, ad.array([[1.0, 10.0], [100.0, 1000.0]]))
    close((z, ad.gradient_of(x)), ([[2.0, 4.0], [6.0, 8.0]], [2.0, 20.0, 200.0, 2000.0]))


@behaviour(MUST, torch("notes/autograd", CHECKS))
def a_view_modified_in_place_is_differentiated(ad):
    """In grad mode the gradient through a view that was modified in-place includes the operation: 30 for x, if a view
    of 3x is multiplied by 10."""
    x = ad.leaf([1.0, 2.0])
    y = x * 3
    v = y[:1]
    ad.mul_(v, 10.0)
    ad.backward(ad.np.sum(v))
    close(ad.gradient_of(x), [30.0, 0.0])


@behaviour(MUST, torch("tensor_view"))
def writing_into_a_base_shows_in_its_view(ad):
    """An in-place operation on a tensor changes the views that were taken of it before."""
    base = ad.array([1.0, 2.0, 3.0, 4.0])
    view = ad.view(base, (2, 2))
    ad.set_item_(base, 3, 9.0)
    close(view, [[1.0, 2.0], [3.0, 9.0]])


@behaviour(
    MUST,
    torch("tensor_view"),
    cases={
        "number": (lambda x: x[1], [1.0, 20.0, 3.0]),
        "slice": (lambda x: x[0:2], [10.0, 20.0, 3.0]),
        "list": (lambda x: x[[0, 1]], [1.0, 2.0, 3.0]),
        "mask": (lambda x: x[x < 2.5], [1.0, 2.0, 3.0]),
    },
    aliases=("does fancy indexing return a view or a copy", "boolean mask indexing copies"),
)
def basic_indexing_shares_memory(ad, part, expected):
    """Basic indexing (an integer, a slice) returns a view of the tensor; advanced indexing (a list, a mask) a copy."""
    x = ad.array([1.0, 2.0, 3.0])
    ad.mul_(part(x), 10.0)
    close(x, expected)


@behaviour(MUST, torch("tensor_view"))
def assignment_by_a_list_of_indices_writes_in_place(ad):
    """Assignment by advanced indexing (x[[0, 2]] = ...) is in-place."""
    x = ad.array([1.0, 2.0, 3.0])
    ad.set_item_(x, [0, 2], ad.array([7.0, 8.0]))
    close(x, [7.0, 2.0, 8.0])


@behaviour(MUST, torch("tensor_view"), torch("notes/autograd", CHECKS))
def a_view_of_a_view_changes_the_base(ad):
    """In grad mode, multiplying a view of a view of a non-leaf by 5 in-place multiplies the base's element, and the
    gradient through it, by 5."""
    x = ad.leaf([[1.0, 2.0], [3.0, 4.0]])
    base = x * 1
    ad.mul_(base[0][1:], 5.0)
    ad.backward(ad.np.sum(base))
    close((base, ad.gradient_of(x)), ([[1.0, 10.0], [3.0, 4.0]], [[1.0, 5.0], [1.0, 1.0]]))


@behaviour(MUST, torch("tensor_view"), aliases=("contiguous() returns self",))
def contiguous_copies_only_where_it_must(ad):
    """contiguous() returns the tensor itself if it is contiguous, and otherwise a new contiguous tensor with copied
    data."""
    x = ad.leaf([[1.0, 2.0], [3.0, 4.0]])
    turned = ad.view_by(x, "transpose", 0, 1)
    copy = ad.view_by(turned, "contiguous")
    equal((ad.view_by(x, "contiguous") is x, ad.view_by(copy, "contiguous") is copy), (True, True))
    equal((ad.shares_memory(copy, x), ad.strides_of(copy)), (False, (2, 1)))
    close(copy, [[1.0, 3.0], [2.0, 4.0]])
