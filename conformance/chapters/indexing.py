"""Indexing: the gradients of elements that are selected, and of arrays that are joined."""

from conformance.behaviour import MUST, behaviour, jax, jax_jit, torch
from conformance.expect import an_error, close, equal, one_of

SMOOTH = "Gradients for non-differentiable functions"
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
