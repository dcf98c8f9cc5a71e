"""Updates out-of-place: the VJPs of x.at[i].set(y), index_put and slice_scatter."""

from conformance.behaviour import MUST, behaviour, jax, torch, torch_func
from conformance.expect import close

AT = jax("jax.numpy.ndarray.at")
PUT = torch("torch.Tensor.index_put")
PUT_ = torch("torch.Tensor.index_put_")
VJP = jax("jax.vjp")
SMOOTH = torch("notes/autograd", "Gradients for non-differentiable functions")


@behaviour(MUST, AT, VJP, PUT, PUT_, SMOOTH, aliases=("scatter update gradient",))
def an_overwritten_element_has_gradient_zero(ad):
    """The gradient of an element that x.at[i].set(y) (index_put) overwrites is zero; the others keep theirs."""
    index, new = ad.array([0]), ad.array([7.0])
    updated, pullback = ad.vjp(lambda x: ad.set_at(x, index, new), ad.array([2.0, 3.0]))
    close(updated, [7.0, 3.0])
    close(pullback(ad.array([1.0, 10.0])), ([0.0, 10.0],))


@behaviour(MUST, AT, VJP, PUT, PUT_, SMOOTH)
def a_written_value_has_the_gradient_of_its_index(ad):
    """The gradient of a value written by x.at[i].set(y) (index_put) is the cotangent at that index."""
    x, index = ad.array([2.0, 3.0]), ad.array([1])
    _, pullback = ad.vjp(lambda new: ad.set_at(x, index, new), ad.array([7.0]))
    close(pullback(ad.array([1.0, 10.0])), ([10.0],))


@behaviour(MUST, AT, VJP, PUT, PUT_, SMOOTH, aliases=("x.at[idx].add gradient", "index_put accumulate gradient"))
def an_added_value_has_the_gradient_of_its_index(ad):
    """x.at[i].add(y) (index_put with accumulate=True) passes the cotangent at an index, here repeated, to x and to
    each value added there."""
    index = ad.array([0, 1, 0])
    added, pullback = ad.vjp(lambda x, y: ad.add_at(x, index, y), ad.array([2.0, 3.0]), ad.array([5.0, 7.0, 9.0]))
    close(added, [16.0, 10.0])
    close(pullback(ad.array([3.0, 20.0])), ([3.0, 20.0], [3.0, 20.0, 3.0]))


@behaviour(
    MUST, jax("jax.lax.dynamic_update_slice"), VJP, torch("torch.slice_scatter"), SMOOTH, aliases=("slice_scatter",)
)
def a_written_block_has_the_gradient_of_its_indices(ad):
    """A block written by dynamic_update_slice (slice_scatter) gets the cotangents there; x gets zeros there."""
    x, block = ad.array([2.0, 3.0, 4.0]), ad.array([5.0, 7.0])
    updated, pullback = ad.vjp(lambda x, block: ad.set_block(x, 1, block), x, block)
    close(updated, [2.0, 5.0, 7.0])
    close(pullback(ad.array([1.0, 10.0, 100.0])), ([1.0, 0.0, 0.0], [10.0, 100.0]))


@behaviour(MUST, AT, VJP, PUT, PUT_, SMOOTH)
def an_update_reads_the_old_values(ad):
    """x.at[1:].set(x[:-1]) reads the old values: (a, b, c) becomes (a, a, b), and a gets the sum of two cotangents."""
    index = ad.array([1, 2])
    shifted, pullback = ad.vjp(lambda x: ad.set_at(x, index, x[:2]), ad.array([2.0, 3.0, 4.0]))
    close(shifted, [2.0, 2.0, 3.0])
    close(pullback(ad.array([1.0, 10.0, 100.0])), ([11.0, 100.0, 0.0],))


@behaviour(
    MUST,
    AT,
    jax("jax.jvp"),
    PUT,
    PUT_,
    torch("torch.autograd.forward_ad.make_dual"),
    torch_func("torch.func.jvp"),
    cases={
        "set": (lambda ad, *given: ad.set_at(*given), [7.0, 3.0, 5.0], [10000.0, 10.0, 1000.0]),
        "add": (lambda ad, *given: ad.add_at(*given), [9.0, 3.0, 9.0], [10001.0, 10.0, 1100.0]),
    },
)
def an_update_has_the_tangents_of_what_it_writes(ad, update, values, tangent):
    """The tangent of x.at[i].set(y) or add(y) (index_put, for add with accumulate=True) is the tangent of x with that
    of y set or added at the same indices."""
    index = ad.array([2, 0])
    primals = (ad.array([2.0, 3.0, 4.0]), ad.array([5.0, 7.0]))
    tangents = (ad.array([1.0, 10.0, 100.0]), ad.array([1000.0, 10000.0]))
    close(ad.jvp(lambda x, y: update(ad, x, index, y), primals, tangents), (values, tangent))
