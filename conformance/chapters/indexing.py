"""Indexing: the gradients of elements that are selected, and of arrays that are joined."""

from conformance.behaviour import MUST, behaviour, jax, jax_jit, torch, torch_func
from conformance.expect import an_error, close, equal, one_of

SMOOTH = "Gradients for non-differentiable functions"
LOOP = "vmap limitations"
MASK = "jax.errors.NonConcreteBooleanIndexError"


@behaviour(
    MUST,
    torch("notes/autograd", SMOOTH),
    jax("jax.grad"),
    cases={"index": (lambda ad, x, indices: x[indices],), "take": (lambda ad, x, indices: ad.np.take(x, indices),)},
    aliases=("gather, index_select, embedding lookup, duplicate indices",),
)
def a_repeated_index_sums_its_gradients(ad, select):
    """An element that an index array selects twice gets the sum of both cotangents."""
    indices, weights = ad.array([0, 0, 1]), ad.array([1.0, 10.0, 100.0])
    gradient = ad.grad(lambda x: ad.np.sum(weights * select(ad, x, indices)))
    close(gradient(ad.array([5.0, 6.0, 7.0])), [11.0, 100.0, 0.0])


@behaviour(
    MUST,
    selected=(torch("notes/autograd", SMOOTH), jax("jax.grad")),
    raises=jax_jit("errors", MASK, raises=MASK),
    aliases=("boolean mask under jit, nonconcretebooleanindexerror",),
)
def a_mask_selects_the_gradient(ad):
    """Elements that a boolean mask x[x > 1.5] leaves out get gradient 0; under jit, such a mask raises an error."""
    gradient = ad.grad(lambda x: ad.np.sum(ad.array([3.0, 5.0]) * x[x > 1.5]))
    return one_of(lambda: gradient(ad.array([2.0, 1.0, 3.0])), selected=[3.0, 0.0, 5.0], raises=an_error)


@behaviour(
    MUST,
    torch("notes/autograd", SMOOTH),
    torch("torch.cat"),
    torch("torch.stack"),
    jax("jax.grad"),
    cases={
        "one_after_the_other": (lambda ad, a, b: ad.np.concat([a, b, a]), [1.0, 3.0, 10.0]),
        "side_by_side": (lambda ad, a, b: ad.np.stack([a, b, a]), [[1.0], [3.0], [10.0]]),
    },
    aliases=("gradient of cat, concat, stack",),
)
def a_joined_array_splits_its_gradient(ad, join, weights):
    """Each part of a concatenated or stacked array gets its slice of the gradient; a part used twice gets the sum."""
    gradients = ad.grad(lambda a, b: ad.np.sum(ad.array(weights) * join(ad, a, b)), argnums=(0, 1))
    close(gradients(ad.array([5.0]), ad.array([6.0])), ([11.0], [3.0]))


@behaviour(MUST, torch("autograd", "Autograd graph"), torch("notes/autograd", "Setting requires_grad"))
def a_concatenation_requires_grad_if_one_part_does(ad):
    """In grad mode, a concatenation requires grad if one of its parts does."""
    equal(ad.requires_grad(ad.np.concat([ad.array([1.0]), ad.leaf([2.0])])), True)


# The elements of a vector at an array of indices, and indices of two examples: the same in each case.
TAKEN = {
    "index": (lambda ad, x, indices: x[indices], [[0, 0, 1], [2, 1, 2]]),
    "index_from_the_end": (lambda ad, x, indices: x[indices], [[0, -3, 1], [-1, 1, 2]]),
    "take": (lambda ad, x, indices: ad.np.take(x, indices), [[0, 0, 1], [2, 1, 2]]),
    "take_along_axis": (lambda ad, x, indices: ad.np.take_along_axis(x, indices, 0), [[0, 0, 1], [2, 1, 2]]),
    "gather": (lambda ad, x, indices: ad.np.gather(x, indices, 0), [[0, 0, 1], [2, 1, 2]]),
    "index_select": (lambda ad, x, indices: ad.np.index_select(x, indices, 0), [[0, 0, 1], [2, 1, 2]]),
}
EXAMPLES = [[5.0, 6.0, 7.0], [1.0, 2.0, 3.0]]
GRADIENTS = (torch_func("func.ux_limitations", LOOP), torch_func("torch.func.grad"), jax("jax.vmap"), jax("jax.grad"))
TANGENTS = (torch_func("func.ux_limitations", LOOP), torch_func("torch.func.jvp"), jax("jax.vmap"), jax("jax.jvp"))
HESSIANS = (
    torch_func("func.ux_limitations", LOOP),
    torch_func("torch.func.hessian"),
    jax("jax.vmap"),
    jax("jax.hessian"),
)


def _squares(ad, x):
    return ad.np.sum(ad.array([1.0, 10.0, 100.0]) * x * x)


@behaviour(MUST, *GRADIENTS, cases=TAKEN, aliases=("vmap gather gradient",))
def each_example_has_the_gradient_of_its_own_indices(ad, take, indices):
    """vmap of a gradient over arrays and index arrays gives each example the gradient of the elements that its own
    indices select; of one selected twice, the sum."""
    gradients = ad.vmap(ad.grad(lambda x, i: _squares(ad, take(ad, x, i))))
    close(gradients(ad.array(EXAMPLES), ad.array(indices)), [[110.0, 1200.0, 0.0], [0.0, 40.0, 606.0]])


@behaviour(MUST, *TANGENTS, cases=TAKEN)
def each_example_has_the_jvp_of_its_own_indices(ad, take, indices):
    """vmap of a JVP over arrays, tangents and index arrays gives each example the JVP of the elements that its own
    indices select, here squared."""

    def push(x, tangent, i):
        return ad.jvp(lambda x: take(ad, x, i) ** 2, (x,), (tangent,))[1]

    tangents = ad.array([[1.0, 10.0, 100.0], [3.0, 5.0, 7.0]])
    expected = [[10.0, 10.0, 120.0], [42.0, 20.0, 42.0]]
    close(ad.vmap(push)(ad.array(EXAMPLES), tangents, ad.array(indices)), expected)


@behaviour(MUST, *HESSIANS, cases=TAKEN)
def each_example_has_the_hessian_of_its_own_indices(ad, take, indices):
    """vmap of a Hessian over arrays and index arrays gives each example the second derivatives by the elements that its
    own indices select."""
    hessians = ad.vmap(lambda x, i: ad.hessian(lambda x: _squares(ad, take(ad, x, i)))(x))
    first = [[22.0, 0.0, 0.0], [0.0, 200.0, 0.0], [0.0, 0.0, 0.0]]
    second = [[0.0, 0.0, 0.0], [0.0, 20.0, 0.0], [0.0, 0.0, 202.0]]
    close(hessians(ad.array(EXAMPLES), ad.array(indices)), [first, second])


@behaviour(
    MUST,
    *GRADIENTS,
    cases={
        "scatter_add": (lambda ad, x, i, y: ad.np.scatter_add(x, i, y, 0),),
        "index_add": (lambda ad, x, i, y: ad.np.index_add(x, i, y, 0),),
        "at_add": (lambda ad, x, i, y: ad.np.at_add(x, i, y),),
        "put_twice": (lambda ad, x, i, y: ad.np.put_twice(x, i, y),),
    },
)
def each_example_adds_values_at_its_own_indices(ad, add):
    """vmap of the gradient of an indexed addition, over arrays, indices and added values, gives each example the
    gradients of its own array and values, also if an index occurs twice."""
    gradients = ad.vmap(ad.grad(lambda x, i, y: _squares(ad, add(ad, x, i, y)), argnums=(0, 2)))
    indices, values = ad.array([[0, 0], [2, 1]]), ad.array([[1.0, 2.0], [3.0, 4.0]])
    by_array, by_values = [[16.0, 120.0, 1400.0], [2.0, 120.0, 1200.0]], [[16.0, 16.0], [1200.0, 120.0]]
    close(gradients(ad.array(EXAMPLES), indices, values), (by_array, by_values))


@behaviour(
    MUST,
    *GRADIENTS,
    cases={
        "scatter": (lambda ad, x, i, y: ad.np.scatter(x, i, y, 0),),
        "index_copy": (lambda ad, x, i, y: ad.np.index_copy(x, i, y, 0),),
        "at_set": (lambda ad, x, i, y: ad.np.at_set(x, i, y),),
        "put": (lambda ad, x, i, y: ad.np.put(x, i, y),),
        "put_along_axis": (lambda ad, x, i, y: ad.np.put_along_axis(x, i, y, 0),),
    },
)
def each_example_replaces_elements_at_its_own_indices(ad, replace):
    """vmap of a gradient over arrays, index arrays and values that replace elements gives each example the gradients of
    its own array and values: 0 for the elements that are replaced."""
    gradients = ad.vmap(ad.grad(lambda x, i, y: _squares(ad, replace(ad, x, i, y)), argnums=(0, 2)))
    indices, values = ad.array([[0, 2], [2, 1]]), ad.array([[1.0, 2.0], [3.0, 4.0]])
    by_array, by_values = [[0.0, 120.0, 0.0], [2.0, 0.0, 0.0]], [[2.0, 400.0], [600.0, 80.0]]
    close(gradients(ad.array(EXAMPLES), indices, values), (by_array, by_values))


@behaviour(
    MUST,
    *GRADIENTS,
    cases={
        "where": (lambda ad, x, mask: ad.np.where(mask, x, ad.array(2.0)),),
        "masked_fill": (lambda ad, x, mask: ad.np.masked_fill(x, ~mask, ad.array(2.0)),),
        "select": (lambda ad, x, mask: ad.np.select(x, 0 * x, ad.np.stack([mask, mask])),),
    },
)
def each_example_has_the_gradient_of_its_own_mask(ad, keep):
    """vmap of a gradient over arrays and boolean masks gives each example the gradient of the elements that its own
    mask keeps, and 0 for the others."""
    gradients = ad.vmap(ad.grad(lambda x, mask: _squares(ad, keep(ad, x, mask))))
    masks = ad.array([[True, False, True], [False, True, True]])
    close(gradients(ad.array(EXAMPLES), masks), [[10.0, 0.0, 1400.0], [0.0, 40.0, 600.0]])


@behaviour(MUST, jax("jax.vmap"), jax("jax.grad"))
def each_example_has_the_gradient_of_its_own_slice(ad):
    """vmap of a gradient over arrays and start indices of dynamic_slice gives each example the gradient of its own
    slice."""
    weights = ad.array([1.0, 10.0])
    gradients = ad.vmap(ad.grad(lambda x, start: ad.np.sum(weights * ad.np.dynamic_slice(x, start, (2,)) ** 2)))
    close(gradients(ad.array(EXAMPLES), ad.array([[1], [0]])), [[0.0, 12.0, 140.0], [2.0, 40.0, 0.0]])
