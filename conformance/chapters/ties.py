"""Ties: gradients of max and min where several elements are equal, and of what depends on their order."""

from conformance.behaviour import MAY, MUST, behaviour, jax, torch
from conformance.expect import close

KINKS = "Gradients for non-differentiable functions"
FLAT = "Why are gradients zero for functions based on sort order?"
RELEASE = "releases/2.14"


@behaviour(
    MUST,
    torch("torch.max"),
    cases={
        "greatest": (lambda ad, x: ad.np.max(x), [2.0, 2.0, 1.0], [1.5, 1.5, 0.0]),
        "least": (lambda ad, x: ad.np.min(x), [2.0, 2.0, 3.0, 2.0], [1.0, 1.0, 0.0, 1.0]),
    },
    aliases=("max gradient ties",),
)
def max_over_all_splits_its_gradient_among_ties(ad, extreme, values, shares):
    """The gradient of max or min over all elements is split evenly among the elements that are tied."""
    close(ad.grad(lambda x: 3 * extreme(ad, x))(ad.array(values)), shares)


@behaviour(
    MAY,
    torch("torch.amax"),
    cases={"over_all": (lambda ad, x: ad.np.max(x),), "along_an_axis": (lambda ad, x: ad.np.amax(x, 0),)},
)
def the_jvp_of_a_tied_maximum_is_a_mean(ad, extreme):
    """The JVP of max over all elements, and of amax, is the mean of the tangents of the elements that are tied."""
    _, tangent = ad.jvp(lambda x: extreme(ad, x), (ad.array([2.0, 2.0, 1.0]),), (ad.array([1.0, 10.0, 100.0]),))
    close(tangent, 5.5)


@behaviour(MUST, torch("torch.max"))
def max_along_an_axis_gives_its_gradient_to_the_index(ad):
    """The gradient of max over a dimension, which returns indices, goes to the indexed element only: the first of those
    that are tied."""
    x = ad.array([1.0, 2.0, 2.0])
    close(ad.np.max_with_index(x)[1], 1)
    close(ad.grad(lambda x: 3 * ad.np.max_with_index(x)[0])(x), [0.0, 3.0, 0.0])


@behaviour(
    MUST,
    torch("torch.amax"),
    cases={
        "down": (lambda ad, x: ad.np.amax(x, 0), [[2.0, 4.0], [2.0, 0.0]], [[1.5, 10.0], [1.5, 0.0]]),
        "across": (lambda ad, x: ad.np.amax(x, 1), [[2.0, 2.0], [4.0, 0.0]], [[1.5, 1.5], [10.0, 0.0]]),
        "least": (
            lambda ad, x: ad.np.amin(x, 1),
            [[2.0, 2.0, 2.0], [4.0, 0.0, 5.0]],
            [[1.0, 1.0, 1.0], [0.0, 10.0, 0.0]],
        ),
    },
    aliases=("amax vs max gradient",),
)
def amax_splits_its_gradient_among_ties(ad, extreme, values, shares):
    """The gradient of amax or amin along an axis is split evenly among the elements that are tied."""
    weights = ad.array([3.0, 10.0])
    close(ad.grad(lambda x: ad.np.sum(weights * extreme(ad, x)))(ad.array(values)), shares)


@behaviour(
    MUST,
    torch("torch.amax"),
    cases={
        "greatest": (lambda ad, x: ad.np.amax(x, (0, 1)), [[2.0, 2.0], [1.0, 2.0]]),
        "least": (lambda ad, x: ad.np.amin(x, (0, 1)), [[2.0, 2.0], [3.0, 2.0]]),
    },
)
def amax_over_two_axes_splits_its_gradient_among_all_ties(ad, extreme, values):
    """The gradient of amax or amin over two axes at once is split evenly among all elements that are tied, whichever
    row they are in: three of them get a third each."""
    close(ad.grad(lambda x: 3 * extreme(ad, x))(ad.array(values)), [[1.0, 1.0], [0.0, 1.0]])


@behaviour(
    MUST,
    torch("notes/autograd", KINKS),
    cases={
        "greater": (lambda ad, x, y: ad.np.maximum(x, y), [1.5, 3.0, 0.0], [1.5, 0.0, 3.0]),
        "lesser": (lambda ad, x, y: ad.np.minimum(x, y), [1.5, 0.0, 3.0], [1.5, 3.0, 0.0]),
        "greater_number": (lambda ad, x, y: ad.np.fmax(x, y), [1.5, 3.0, 0.0], [1.5, 0.0, 3.0]),
        "lesser_number": (lambda ad, x, y: ad.np.fmin(x, y), [1.5, 0.0, 3.0], [1.5, 3.0, 0.0]),
    },
)
def maximum_splits_its_gradient_in_half(ad, extreme, first, second):
    """The gradient of elementwise maximum and minimum (fmax, fmin) is split in half between the two arrays where their
    elements are equal."""
    gradients = ad.grad(lambda x, y: ad.np.sum(3 * extreme(ad, x, y)), argnums=(0, 1))
    close(gradients(ad.array([2.0, 5.0, 1.0]), ad.array([2.0, 1.0, 5.0])), (first, second))


@behaviour(
    MUST,
    torch(RELEASE, "Autograd", since="2.14"),
    cases={
        "greater": (lambda ad, x, y: ad.np.maximum(x, y),),
        "lesser": (lambda ad, x, y: ad.np.minimum(x, y),),
        "greater_number": (lambda ad, x, y: ad.np.fmax(x, y),),
        "lesser_number": (lambda ad, x, y: ad.np.fmin(x, y),),
        "lower_bound": (lambda ad, x, y: ad.np.clip(x, y, None),),
        "upper_bound": (lambda ad, x, y: ad.np.clip(x, None, y),),
    },
    aliases=("forward mode clamp tie", "jvp of maximum at a tie"),
)
def the_jvp_at_a_tie_is_the_mean_of_both_tangents(ad, extreme):
    """The JVP of maximum, minimum, fmax, fmin and of clip (clamp) with one array as bound is the mean of both tangents
    where the two arrays are equal, as their gradient is split in half."""
    _, tangent = ad.jvp(lambda x, y: extreme(ad, x, y), (ad.array(2.0), ad.array(2.0)), (ad.array(3.0), ad.array(10.0)))
    close(tangent, 6.5)


@behaviour(
    MUST,
    torch(RELEASE, "Autograd", since="2.14"),
    cases={
        "lower": (0.0, None, 2.0),
        "upper": (None, 0.0, -2.0),
        "both": (0.0, 5.0, 2.0),
        "both_at_the_upper": (-5.0, 0.0, -2.0),
    },
    aliases=("forward mode clamp at boundary",),
)
def the_jvp_of_clip_is_zero_at_a_bound(ad, lowest, highest, inside):
    """The JVP of clip (clamp) is 0 where the input equals a scalar bound, as its gradient is, and the tangent strictly
    inside the bounds."""
    _, tangent = ad.jvp(lambda x: ad.np.clip(x, lowest, highest), (ad.array([0.0, inside]),), (ad.array([3.0, 10.0]),))
    close(tangent, [0.0, 10.0])


@behaviour(MUST, torch("notes/autograd", KINKS), jax("jax.grad"))
def maximum_of_an_array_with_itself_has_gradient_one(ad):
    """The gradient of maximum(x, x), which is x, is 1."""
    close(ad.grad(lambda x: 3 * ad.np.maximum(x, x))(ad.array(2.0)), 3.0)


@behaviour(
    MUST,
    torch("notes/autograd", KINKS),
    jax("jax.grad"),
    cases={
        "sort": (lambda ad, x: ad.np.sum(ad.np.sort(x) * ad.array([1.0, 10.0, 100.0])), [100.0, 1.0, 10.0]),
        "topk": (lambda ad, x: ad.np.sum(ad.np.topk(x, 2)[0] * ad.array([1.0, 10.0])), [1.0, 0.0, 10.0]),
        "kthvalue": (lambda ad, x: 3 * ad.np.kthvalue(x, 2), [0.0, 0.0, 3.0]),
        "mode": (lambda ad, x: 3 * ad.np.mode(ad.np.stack([x[0], x[1], x[1]])), [0.0, 3.0, 0.0]),
    },
    aliases=("backprop through sort", "is topk differentiable"),
)
def sorting_gives_the_gradient_to_the_original_elements(ad, program, gradient):
    """The gradient of sort, topk, kthvalue and mode goes to the elements of the input that the output comes from."""
    close(ad.grad(lambda x: program(ad, x))(ad.array([3.0, 1.0, 2.0])), gradient)


@behaviour(
    MUST,
    torch("notes/autograd", KINKS, since="2.14"),
    cases={
        "greater": (lambda ad, x, y: ad.np.maximum(x, y), [1.5, 3.0, 0.0]),
        "lesser": (lambda ad, x, y: ad.np.minimum(y, x), [1.5, 0.0, 3.0]),
    },
)
def a_tie_with_a_constant_array_is_split_too(ad, extreme, expected):
    """The gradient of maximum and minimum at a tie is 1/2 also if the other array does not require grad and has no
    dimensions."""
    gradient = ad.grad(lambda x: ad.np.sum(3 * extreme(ad, x, ad.array(2.0))))
    close(gradient(ad.array([2.0, 5.0, 1.0])), expected)


@behaviour(
    MUST,
    torch("notes/autograd", KINKS),
    cases={
        "greatest": (lambda ad, *args: ad.np.scatter_reduce_amax(*args), [2.0, 1.0], [2.0, 0.0, 2.0]),
        "least": (lambda ad, *args: ad.np.scatter_reduce_amin(*args), [2.0, 3.0], [2.0, 4.0, 2.0]),
    },
    aliases=("scatter_reduce amax gradient",),
)
def a_scattered_maximum_splits_its_gradient_among_ties(ad, extreme, values, written):
    """The gradient of scatter_reduce with amax or amin is split evenly among the input and all written values that are
    tied."""
    weights, index = ad.array([6.0, 10.0]), ad.array([0, 0, 0])
    gradients = ad.grad(lambda x, y: ad.np.sum(weights * extreme(ad, x, index, y)), argnums=(0, 1))
    close(gradients(ad.array(values), ad.array(written)), ([2.0, 10.0], [2.0, 0.0, 2.0]))


@behaviour(MUST, torch("notes/autograd", KINKS), aliases=("max pooling gradient ties",))
def max_pooling_splits_its_gradient_among_ties(ad):
    """The gradient of max pooling is split evenly among the elements of a window that are tied."""
    gradient = ad.grad(lambda x: ad.np.sum(ad.array([[3.0, 10.0]]) * ad.np.max_pool1d(x, 2)))
    close(gradient(ad.array([[2.0, 2.0, 1.0, 0.0]])), [[1.5, 1.5, 10.0, 0.0]])


@behaviour(
    MUST,
    jax("jax.numpy.sort"),
    jax("jax.lax.top_k"),
    cases={
        "sort": (
            lambda ad, x: ad.np.sort(x),
            [1.0, 1.0, 0.0, 1.0],
            [1.0, 10.0, 100.0, 1000.0],
            [10.0, 100.0, 1.0, 1000.0],
        ),
        "topk": (lambda ad, x: ad.np.topk(x, 2)[0], [0.0, 1.0, 1.0, 1.0], [1.0, 10.0], [0.0, 1.0, 10.0, 0.0]),
    },
    aliases=("stable sort gradient",),
)
def ties_keep_their_order_when_sorted(ad, sorting, values, weights, gradient):
    """By default, the gradient of sort and top_k gives equal elements their cotangents in the order in which they are
    in the input."""
    close(ad.grad(lambda x: ad.np.sum(ad.array(weights) * sorting(ad, x)))(ad.array(values)), gradient)


@behaviour(
    MAY,
    jax("faq", FLAT),
    cases={
        "argmax": (lambda ad, x: ad.np.argmax(x), [1.0, 1.0]),
        "searchsorted": (lambda ad, x: ad.np.searchsorted(ad.array([0.0, 2.0]), x), [1.0, 2.0]),
        "comparison": (lambda ad, x: ad.np.where(x > 2, ad.array([4.0, 5.0]), ad.array([6.0, 7.0])), [6.0, 5.0]),
    },
    aliases=("gradient of argmax is zero",),
)
def an_operation_on_the_order_of_elements_has_gradient_zero(ad, function, value):
    """The gradient of an operation that depends only on the relative order of its inputs (argmax, searchsorted, a
    comparison) is zero: its product with x has the output of the operation as gradient."""
    close(ad.grad(lambda x: ad.np.sum(function(ad, x) * x))(ad.array([1.0, 3.0])), value)
