"""Batching: random numbers under vmap."""

from conformance.behaviour import MUST, SHOULD, behaviour, torch, torch_func
from conformance.expect import close, equal, raises

UX = "func.ux_limitations"


@behaviour(
    MUST,
    torch("torch.vmap", raises=Exception, says="randomness"),
    torch_func("torch.func.vmap", raises=Exception, says="randomness"),
    aliases=("vmap: called random operation while in randomness error mode",),
)
def random_numbers_under_vmap_raise_an_error_by_default(ad):
    """A random operation under vmap raises an error by default: randomness is "error"."""
    raises(lambda: ad.vmap(lambda x: x + ad.draw(()))(ad.array([1.0, 2.0, 5.0])))


@behaviour(
    MUST,
    torch("torch.vmap"),
    torch_func("torch.func.vmap"),
    cases={
        "same": ("same", None, 1),
        "different": ("different", None, 3),
        "same_in_chunks": ("same", 2, 1),
        "different_in_chunks": ("different", 2, 3),
    },
    aliases=("vmap dropout randomness",),
)
def random_numbers_can_be_the_same_or_different(ad, randomness, size, how_many):
    """vmap with randomness="same" draws one random number for all examples, with "different" one for each."""
    ad.seed_(0)
    drawn = ad.vmap(lambda x: x + ad.draw(()), randomness=randomness, chunk_size=size)(ad.np.zeros((3,)))
    equal(len(set(ad.list_of(drawn))), how_many)


@behaviour(
    SHOULD,
    torch(UX, "Randomness", raises=Exception, says="randomness"),
    torch_func(UX, "Randomness", raises=Exception, says="randomness"),
)
def an_unknown_randomness_raises_an_error(ad):
    """vmap raises an error for a randomness other than "error", "same" and "different"."""
    x = ad.array([1.0, 2.0])
    close(ad.vmap(lambda x: 2 * x, randomness="same")(x), [2.0, 4.0])
    raises(lambda: ad.vmap(lambda x: 2 * x, randomness="other")(x))


@behaviour(
    MUST,
    torch(UX, "Randomness"),
    torch_func(UX, "Randomness"),
    cases={"same": ("same",), "different": ("different",)},
)
def a_seed_makes_random_numbers_repeatable(ad, randomness):
    """Under vmap, random numbers are the same again after the same manual_seed()."""
    mapped = ad.vmap(lambda x: x + ad.draw((2,)), randomness=randomness)
    ad.seed_(7)
    first = ad.to_numpy(mapped(ad.np.zeros((3,))))
    ad.seed_(7)
    close(mapped(ad.np.zeros((3,))), first)
