"""Updates: arrays made of an old one and of a part that replaces, or is added to, a part of it."""

from conformance.behaviour import MUST, behaviour, jax, torch
from conformance.expect import close

AT = jax("jax.numpy.ndarray.at")
PUT = torch("torch.Tensor.index_put")


@behaviour(MUST, AT, PUT)
def an_overwritten_element_has_no_gradient(ad):
    """An element that an update replaced has the gradient zero, and the others have their own."""
    index, new = ad.array([0]), ad.array([7.0])
    updated, pullback = ad.vjp(lambda x: ad.set_at(x, index, new), ad.array([2.0, 3.0]))
    close(updated, [7.0, 3.0])
    close(pullback(ad.array([1.0, 10.0])), ([0.0, 10.0],))


@behaviour(MUST, AT, PUT)
def a_written_value_has_the_gradient_of_its_place(ad):
    """A value that an update wrote has the gradient of the place where it stands."""
    x, index = ad.array([2.0, 3.0]), ad.array([1])
    _, pullback = ad.vjp(lambda new: ad.set_at(x, index, new), ad.array([7.0]))
    close(pullback(ad.array([1.0, 10.0])), ([10.0],))


@behaviour(MUST, AT, PUT)
def an_addition_passes_gradients_to_both(ad):
    """Two values added at one place each have the gradient of that place, and the array has its own."""
    index = ad.array([0, 0])
    added, pullback = ad.vjp(lambda x, y: ad.add_at(x, index, y), ad.array([2.0, 3.0]), ad.array([5.0, 7.0]))
    close(added, [14.0, 3.0])
    close(pullback(ad.array([3.0, 10.0])), ([3.0, 10.0], [3.0, 3.0]))


@behaviour(MUST, jax("jax.lax.dynamic_update_slice"), torch("torch.slice_scatter"))
def a_written_block_has_the_gradient_of_its_place(ad):
    """A block that an update wrote has the gradient of its place; the array has it elsewhere, and zero there."""
    x, block = ad.array([2.0, 3.0, 4.0]), ad.array([5.0, 7.0])
    updated, pullback = ad.vjp(lambda x, block: ad.set_block(x, 1, block), x, block)
    close(updated, [2.0, 5.0, 7.0])
    close(pullback(ad.array([1.0, 10.0, 100.0])), ([1.0, 0.0, 0.0], [10.0, 100.0]))


@behaviour(MUST, AT, PUT)
def an_update_reads_the_old_values(ad):
    """An update of an array by its own elements reads the old ones: shifted, 2 3 4 becomes 2 2 3."""
    index = ad.array([1, 2])
    shifted, pullback = ad.vjp(lambda x: ad.set_at(x, index, x[:2]), ad.array([2.0, 3.0, 4.0]))
    close(shifted, [2.0, 2.0, 3.0])
    close(pullback(ad.array([1.0, 10.0, 100.0])), ([11.0, 100.0, 0.0],))
