"""Batching: numbers drawn within a mapped program."""

from conformance.behaviour import MAY, MUST, behaviour, torch, torch_func
from conformance.expect import close, equal, raises


@behaviour(
    MUST,
    torch("torch.vmap", raises=RuntimeError, says="random operation while in randomness error mode"),
    torch_func("torch.func.vmap", raises=RuntimeError, says="random operation while in randomness error mode"),
)
def drawing_under_a_map_is_refused_by_default(ad):
    """A mapped program that draws random numbers is refused by default: randomness is "error"."""
    raises(lambda: ad.vmap(lambda x: x + ad.draw(()))(ad.array([1.0, 2.0, 5.0])))


@behaviour(
    MUST,
    torch("torch.vmap"),
    torch_func("torch.func.vmap"),
    cases={"same": ("same", 1), "different": ("different", 3)},
)
def draws_can_be_the_same_or_different(ad, randomness, how_many):
    """A draw is one for all three examples, or one for each."""
    ad.seed_(0)
    drawn = ad.vmap(lambda x: x + ad.draw(()), randomness=randomness)(ad.np.zeros((3,)))
    equal(len(set(ad.list_of(drawn))), how_many)


@behaviour(
    MAY,
    torch("torch.vmap", raises=RuntimeError, says="values for randomness"),
    torch_func("torch.func.vmap", raises=RuntimeError, says="values for randomness"),
)
def an_unknown_randomness_is_refused(ad):
    """A randomness other than "error", "same" and "different" is refused."""
    raises(lambda: ad.vmap(lambda x: 2 * x, randomness="other")(ad.array([1.0, 2.0])))


@behaviour(
    MAY,
    torch("torch.vmap"),
    torch_func("torch.func.vmap"),
    cases={"same": ("same",), "different": ("different",)},
)
def a_seed_makes_draws_repeatable(ad, randomness):
    """After the same seed, a mapped program draws the same numbers."""
    mapped = ad.vmap(lambda x: x + ad.draw((2,)), randomness=randomness)
    ad.seed_(7)
    first = ad.to_numpy(mapped(ad.np.zeros((3,))))
    ad.seed_(7)
    close(mapped(ad.np.zeros((3,))), first)
