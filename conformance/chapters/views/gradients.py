"""Gradients of views: the VJP of a view maps its cotangent back to the shape of the base."""

from conformance.behaviour import MUST, behaviour, jax, torch, torch_func
from conformance.expect import close

SMOOTH = "Gradients for non-differentiable functions"
POINT = [[2.0, 3.0, 5.0], [7.0, 11.0, 13.0]]


@behaviour(MUST, torch("notes/autograd", SMOOTH), torch_func("torch.func.grad"), jax("jax.grad"))
def broadcast_to_sums_the_gradient(ad):
    """The gradient of broadcast_to sums over the repetitions: the cotangent [[1, 2], [3, 4], [5, 6]] gives [9, 12]."""
    weights = ad.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    gradient = ad.grad(lambda x: ad.np.sum(weights * ad.np.broadcast_to(x, (3, 2))))
    close(gradient(ad.array([7.0, 8.0])), [9.0, 12.0])


@behaviour(MUST, torch("notes/autograd", SMOOTH), torch("torch.as_strided"))
def overlapping_elements_of_a_view_sum_their_gradients(ad):
    """The VJP of as_strided adds the cotangents of an element that appears twice: [[1, 2], [3, 4]] gives [1, 5, 4]."""
    _, pullback = ad.vjp(lambda x: ad.view_by(x, "as_strided", (2, 2), (1, 1)), ad.array([7.0, 8.0, 9.0]))
    close(pullback(ad.array([[1.0, 2.0], [3.0, 4.0]])), ([1.0, 5.0, 4.0],))


@behaviour(
    MUST,
    torch("notes/autograd", SMOOTH),
    cases={
        "transpose": (lambda ad, x: ad.view_by(x, "transpose", 0, 1), [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]),
        "swapaxes": (lambda ad, x: ad.view_by(x, "swapaxes", 0, 1), [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]),
        "permute": (lambda ad, x: ad.view_by(x[None], "permute", 2, 0, 1), [[[1.0, 2.0]], [[3.0, 4.0]], [[5.0, 6.0]]]),
        "movedim": (lambda ad, x: ad.view_by(x[None], "movedim", 2, 0), [[[1.0, 2.0]], [[3.0, 4.0]], [[5.0, 6.0]]]),
    },
)
def a_view_with_exchanged_axes_is_differentiable(ad, view, cotangent):
    """The VJP of transpose, permute and movedim permutes the dimensions of the cotangent back."""
    _, pullback = ad.vjp(lambda x: view(ad, x), ad.array(POINT))
    close(pullback(ad.array(cotangent)), ([[1.0, 3.0, 5.0], [2.0, 4.0, 6.0]],))


@behaviour(
    MUST,
    torch("notes/autograd", SMOOTH),
    cases={
        "view": (lambda ad, x: ad.view(x, (3, 2)), [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]),
        "unsqueeze": (lambda ad, x: ad.view_by(x, "unsqueeze", 0), [[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]]),
        "squeeze": (lambda ad, x: ad.view_by(x[None], "squeeze", 0), [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]),
        "unflatten": (lambda ad, x: ad.view_by(x, "unflatten", 0, (2, 1)), [[[1.0, 2.0, 3.0]], [[4.0, 5.0, 6.0]]]),
    },
)
def a_view_of_another_shape_is_differentiable(ad, view, cotangent):
    """The VJP of view, squeeze, unsqueeze and unflatten reshapes the cotangent to the shape of the base."""
    _, pullback = ad.vjp(lambda x: view(ad, x), ad.array(POINT))
    close(pullback(ad.array(cotangent)), ([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]],))


@behaviour(
    MUST,
    torch("notes/autograd", SMOOTH),
    cases={
        "select": (lambda ad, x: ad.view_by(x, "select", 1, 1), [7.0, 8.0], [[0.0, 7.0, 0.0], [0.0, 8.0, 0.0]]),
        "narrow": (lambda ad, x: ad.view_by(x, "narrow", 1, 2, 1), [[7.0], [8.0]], [[0.0, 0.0, 7.0], [0.0, 0.0, 8.0]]),
        "slice": (lambda ad, x: x[:, ::2], [[1.0, 2.0], [3.0, 4.0]], [[1.0, 0.0, 2.0], [3.0, 0.0, 4.0]]),
        "diagonal": (lambda ad, x: ad.view_by(x, "diagonal"), [7.0, 8.0], [[7.0, 0.0, 0.0], [0.0, 8.0, 0.0]]),
        "split": (lambda ad, x: ad.view_by(x, "split", 2, 1)[1], [[7.0], [8.0]], [[0.0, 0.0, 7.0], [0.0, 0.0, 8.0]]),
        "chunk": (lambda ad, x: ad.view_by(x, "chunk", 2)[1], [[7.0, 8.0, 9.0]], [[0.0, 0.0, 0.0], [7.0, 8.0, 9.0]]),
        "tensor_split": (
            lambda ad, x: ad.view_by(x, "tensor_split", 2)[0],
            [[7.0, 8.0, 9.0]],
            [[7.0, 8.0, 9.0], [0.0] * 3],
        ),
        "unbind": (lambda ad, x: ad.view_by(x, "unbind")[1], [7.0, 8.0, 9.0], [[0.0, 0.0, 0.0], [7.0, 8.0, 9.0]]),
    },
)
def a_view_of_a_part_is_differentiable(ad, view, cotangent, expected):
    """The VJP of a view of some elements (a slice, diagonal, split, unbind) has zeros at all other elements."""
    _, pullback = ad.vjp(lambda x: view(ad, x), ad.array(POINT))
    close(pullback(ad.array(cotangent)), (expected,))


@behaviour(MUST, torch("notes/autograd", SMOOTH), aliases=("sliding window gradient",))
def overlapping_windows_sum_their_gradients(ad):
    """The VJP of unfold adds the cotangents of an element in two windows: [[1, 2], [3, 4]] gives [1, 5, 4]."""
    _, pullback = ad.vjp(lambda x: ad.view_by(x, "unfold", 0, 2, 1), ad.array([7.0, 8.0, 9.0]))
    close(pullback(ad.array([[1.0, 2.0], [3.0, 4.0]])), ([1.0, 5.0, 4.0],))


@behaviour(
    MUST,
    torch("notes/autograd", SMOOTH),
    torch_func("torch.func.vjp"),
    jax("jax.vjp"),
    cases={
        "transpose": (
            lambda ad, x: ad.np.transpose(x),
            [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]],
            [[1.0, 3.0, 5.0], [2.0, 4.0, 6.0]],
        ),
        "reshape": (
            lambda ad, x: ad.np.reshape(x, (3, 2)),
            [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]],
            [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]],
        ),
        "row": (lambda ad, x: x[1], [7.0, 8.0, 9.0], [[0.0, 0.0, 0.0], [7.0, 8.0, 9.0]]),
        "steps": (lambda ad, x: x[:, ::2], [[1.0, 2.0], [3.0, 4.0]], [[1.0, 0.0, 2.0], [3.0, 0.0, 4.0]]),
    },
    aliases=("gradient of reshape, transpose, permute",),
)
def the_vjp_of_a_rearrangement_moves_the_cotangent_back(ad, rearranged, cotangent, expected):
    """The VJP of transpose and reshape rearranges the cotangent back; that of a slice pads it with zeros."""
    _, pullback = ad.vjp(lambda x: rearranged(ad, x), ad.array(POINT))
    close(pullback(ad.array(cotangent)), (expected,))
