"""Leaves and non-leaves: which tensors are leaves, and which have a grad_fn."""

from conformance.behaviour import MAY, MUST, behaviour, document, torch
from conformance.expect import close, equal


@behaviour(MUST, torch("torch.Tensor.is_leaf"), document("000"), document("001"))
def an_array_made_by_the_user_is_a_leaf(ad):
    """A tensor created by the user, not by an operation, is a leaf."""
    equal(ad.is_leaf(ad.leaf([1.0, 1.0])), True)


@behaviour(MUST, torch("torch.Tensor.is_leaf"), document("000"), document("001"), aliases=("grad_fn=none",))
def a_leaf_has_no_grad_fn(ad):
    """The grad_fn of a leaf is None."""
    equal(ad.grad_fn_name(ad.leaf([1.0, 1.0])), None)


@behaviour(MUST, torch("torch.Tensor.is_leaf"), document("000"), document("001"), aliases=("is_leaf",))
def an_output_of_an_operation_is_not_a_leaf(ad):
    """In grad mode the output x + 2 of an operation on a tensor x that requires grad is not a leaf."""
    x = ad.leaf([1.0, 1.0])
    equal(ad.is_leaf(x + 2), False)


@behaviour(
    MAY,
    torch("torch.autograd.graph.Node.name"),
    document("000"),
    cases={"product": (lambda x: x * x, "MulBackward0"), "sum": (lambda x: x + 2, "AddBackward0")},
    aliases=("grad_fn name",),
)
def a_grad_fn_is_named_after_its_operation(ad, program, name):
    """The grad_fn of a non-leaf is named after its operation: MulBackward0 for a product, AddBackward0 for a sum."""
    equal(ad.grad_fn_name(program(ad.leaf([1.0, 1.0]))), name)


@behaviour(MUST, torch("torch.Tensor.is_leaf"))
def an_array_without_requires_grad_is_a_leaf(ad):
    """A tensor that does not require grad is a leaf by convention, even if an operation computed it."""
    x = ad.array([1.0, 1.0])
    equal(ad.is_leaf(x + 2), True)


@behaviour(MUST, torch("torch.Tensor.is_leaf"), document("004"), aliases=("reshape grad is none",))
def a_view_of_a_leaf_gets_no_gradient(ad):
    """In grad mode x.view(shape) of a leaf x that requires grad is a non-leaf: without retain_grad() and without
    `inputs`, backward() does not populate its .grad."""
    x = ad.view(ad.leaf([2.0, 1.0]), (1, 2))
    y = ad.leaf([[1.0, 2.0], [3.0, 4.0]])
    ad.backward(ad.np.matmul(x, y), ad.array([[1.0, 0.0]]))
    equal((ad.is_leaf(x), ad.gradient_of(x)), (False, None))
    close(ad.gradient_of(y), [[2.0, 0.0], [1.0, 0.0]])


@behaviour(MUST, torch("torch.Tensor.is_leaf"), document("004"))
def a_leaf_created_in_its_final_shape_gets_its_gradient(ad):
    """A tensor created in its final shape with requires_grad=True is a leaf: backward() populates its .grad."""
    x = ad.leaf([[2.0, 1.0]])
    y = ad.leaf([[1.0, 2.0], [3.0, 4.0]])
    ad.backward(ad.np.matmul(x, y), ad.array([[1.0, 0.0]]))
    equal(ad.is_leaf(x), True)
    close((ad.gradient_of(x), ad.gradient_of(y)), ([[1.0, 3.0]], [[2.0, 0.0], [1.0, 0.0]]))


@behaviour(MUST, torch("torch.Tensor.is_leaf"), document("004"))
def a_view_made_before_requires_grad_is_a_leaf(ad):
    """A view of a tensor with requires_grad=False is a leaf; after requires_grad_(), backward() populates its .grad."""
    x = ad.view(ad.array([2.0, 1.0]), (1, 2))
    ad.require_grad_(x)
    y = ad.leaf([[1.0, 2.0], [3.0, 4.0]])
    ad.backward(ad.np.matmul(x, y), ad.array([[1.0, 0.0]]))
    equal(ad.is_leaf(x), True)
    close(ad.gradient_of(x), [[1.0, 3.0]])


@behaviour(
    MUST,
    torch("torch.Tensor.is_leaf"),
    torch("torch.clone"),
    torch("notes/autograd", "Setting requires_grad"),
    cases={
        "clone": (lambda ad, x: ad.clone(x),),
        "view": (lambda ad, x: ad.view(x, (2, 1)),),
        "element": (lambda ad, x: x[0],),
        "slice": (lambda ad, x: x[:1],),
        "iteration": (lambda ad, x: next(iter(x)),),
    },
    aliases=("clone grad is none",),
)
def a_clone_or_view_of_a_leaf_is_a_non_leaf(ad, copy):
    """In grad mode a clone, a reshaped view, an element or a slice of a leaf that requires grad is a non-leaf that
    requires grad."""
    y = copy(ad, ad.leaf([1.0, 2.0]))
    equal((ad.is_leaf(y), ad.requires_grad(y)), (False, True))


@behaviour(
    MUST,
    torch("torch.Tensor.is_leaf"),
    cases={
        "moved_later": (lambda ad: ad.to_meta_device(ad.leaf(1.0)), False),
        "moved_first": (lambda ad: ad.require_grad_(ad.to_meta_device(ad.array(1.0))), True),
    },
    aliases=("can't optimize a non-leaf tensor", ".cuda() grad is none", ".to(device) loses grad"),
)
def a_leaf_moved_to_another_device_is_a_non_leaf(ad, make, expected):
    """In grad mode moving a leaf that requires grad to another device gives a non-leaf, moving it before
    requires_grad_() a leaf."""
    x = make(ad)
    equal((ad.requires_grad(x), ad.is_leaf(x)), (True, expected))


@behaviour(
    MUST, torch("torch.Tensor.is_leaf"), torch("torch.Tensor.grad_dtype", since="2.10"), aliases=("cast loses grad",)
)
def a_leaf_converted_to_another_dtype_is_a_non_leaf(ad):
    """In grad mode a float32 leaf that requires grad, converted to float64, gives a non-leaf; the .grad of the leaf is
    float32 by default."""
    x = ad.leaf(2.0, "float32")
    y = ad.cast(x, "float64")
    ad.backward(3 * y)
    equal((ad.is_leaf(y), ad.dtype_of(ad.gradient_of(x))), (False, "float32"))
    close(ad.gradient_of(x), 3.0, dtype="float32")


@behaviour(MUST, torch("torch.Tensor.is_leaf"))
def an_array_converted_before_requires_grad_is_a_leaf(ad):
    """A tensor converted to another dtype before requires_grad_() is a leaf."""
    x = ad.require_grad_(ad.cast(ad.array(2.0, "float32"), "float64"))
    equal((ad.is_leaf(x), ad.requires_grad(x)), (True, True))


@behaviour(MUST, torch("torch.Tensor.to"))
def a_conversion_to_the_same_dtype_is_the_array_itself(ad):
    """x.to(x.dtype) returns x itself, not a copy."""
    x = ad.leaf(2.0, "float64")
    equal(ad.cast(x, "float64") is x, True)


@behaviour(
    MUST,
    torch("torch.Tensor.detach"),
    torch("torch.Tensor.requires_grad_"),
    torch("torch.Tensor.is_leaf"),
    aliases=("stop gradient", "requires_grad_ after detach"),
)
def a_detached_array_can_become_a_new_leaf(ad):
    """detach() followed by requires_grad_() gives a new leaf: it gets a .grad, and the original gets none."""
    x = ad.leaf(2.0)
    y = ad.require_grad_(ad.detach(5 * x))
    ad.backward(3 * y)
    equal(ad.is_leaf(y), True)
    close((ad.gradient_of(y), ad.gradient_of(x)), (3.0, None))


@behaviour(
    MUST,
    torch("notes/autograd", "In-place operations with autograd"),
    torch("notes/autograd", "Setting requires_grad"),
)
def copying_into_an_array_makes_it_a_non_leaf(ad):
    """In grad mode y.copy_(x), with a floating point y that does not require grad and an x that does, makes y a
    non-leaf that requires grad."""
    y = ad.array([0.0, 0.0])
    ad.copy_(y, ad.leaf([1.0, 2.0]))
    equal((ad.is_leaf(y), ad.requires_grad(y)), (False, True))


@behaviour(
    MUST,
    torch("torch.Tensor.backward"),
    torch("notes/autograd", "How autograd encodes the history"),
    aliases=("leaf deleted garbage collection",),
)
def backward_works_after_a_leaf_is_deleted(ad):
    """backward() works after the last Python reference to one of the leaves is gone."""
    x = ad.leaf(2.0)

    def product_with_a_local_leaf():
        local = ad.leaf(3.0)
        return x * local

    ad.backward(product_with_a_local_leaf())
    close(ad.gradient_of(x), 3.0)


@behaviour(MUST, torch("torch.Tensor.backward"))
def rebinding_a_variable_does_not_redirect_the_gradient(ad):
    """By default backward() accumulates into the leaf that was used, even if its variable is rebound later (x =
    x.detach())."""
    x = ad.leaf(5.0)
    used = x
    y = 2 * x
    x = ad.detach(x)
    ad.backward(y)
    close((ad.gradient_of(used), ad.gradient_of(x)), (2.0, None))
