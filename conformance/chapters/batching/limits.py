"""Batching: what a function under vmap cannot do with a mapped value."""

from conformance.behaviour import MUST, behaviour, jax, torch, torch_func
from conformance.expect import close, equal, raises

UX = "func.ux_limitations"
CONTROL_FLOW = "Data-dependent Python control flow"
ITEM = "Data-dependent operations (.item())"
DYNAMIC = "Dynamic shape operations (nonzero and friends)"
MUTATION = "Mutation: in-place PyTorch Operations"
OUT = "Mutation: out= PyTorch Operations"
EFFECTS = "Mutation: Arbitrary mutation of Python data structures"
BOOL = "jax.errors.TracerBoolConversionError"
NUMBER = "jax.errors.ConcretizationTypeError"
MASK = "jax.errors.NonConcreteBooleanIndexError"


def _magnitude(x):
    return x if x > 0 else -x


def _doubled_if_a_vector(x):
    return 2 * x if len(x.shape) == 1 else x


@behaviour(
    MUST,
    torch(UX, CONTROL_FLOW, raises=Exception, says="data-dependent"),
    torch_func(UX, CONTROL_FLOW, raises=Exception, says="data-dependent"),
    jax("errors", BOOL, raises=BOOL),
    aliases=("vmap data-dependent control flow", "tracerboolconversionerror"),
)
def branching_on_a_mapped_value_raises_an_error(ad):
    """A Python `if` on the value of a mapped input raises an error under vmap (data-dependent control flow)."""
    raises(lambda: ad.vmap(_magnitude)(ad.array([1.0, -2.0])))


@behaviour(
    MUST,
    torch(UX, CONTROL_FLOW),
    torch("torch.vmap"),
    torch_func(UX, CONTROL_FLOW),
    torch_func("torch.func.vmap"),
    jax("jax.vmap"),
    jax("automatic-vectorization"),
    jax("control-flow"),
)
def branching_on_a_shape_works(ad):
    """A Python `if` on the shape of a mapped input works under vmap; the shape is that of one example."""
    close(ad.vmap(_doubled_if_a_vector)(ad.array([[1.0, 2.0], [3.0, 4.0]])), [[2.0, 4.0], [6.0, 8.0]])


@behaviour(
    MUST,
    torch(UX, ITEM, raises=Exception, says=".item()"),
    torch_func(UX, ITEM, raises=Exception, says=".item()"),
    jax("errors", NUMBER, raises=NUMBER),
    aliases=("vmap .item()", "concretizationtypeerror"),
)
def reading_a_mapped_value_as_a_number_raises_an_error(ad):
    """Reading a mapped value as a Python number (.item(), float()) raises an error under vmap."""
    raises(lambda: ad.vmap(ad.number_of)(ad.array([1.0, 2.0])))


@behaviour(
    MUST,
    torch(UX, DYNAMIC, raises=Exception, says="dynamic shape"),
    torch_func(UX, DYNAMIC, raises=Exception, says="dynamic shape"),
    jax("errors", MASK, raises=MASK),
    aliases=("vmap boolean mask", "nonconcretebooleanindexerror"),
)
def a_mapped_boolean_mask_raises_an_error(ad):
    """x[mask] with a mapped boolean mask raises an error under vmap: its shape would differ between examples."""
    raises(lambda: ad.vmap(lambda row: row[row > 0])(ad.array([[1.0, -2.0], [-3.0, 4.0]])))


def _added(ad, target, x):
    return ad.add_(target[0], x)


def _assigned(ad, target, x):
    ad.set_item_(target, 0, x)
    return x


@behaviour(
    MUST,
    torch(UX, MUTATION, raises=RuntimeError),
    torch_func(UX, MUTATION, raises=RuntimeError),
    cases={"add": (_added,), "assign": (_assigned,)},
    aliases=("vmap: inplace arithmetic is not possible",),
)
def a_write_into_an_unmapped_array_raises_an_error(ad, write):
    """Modifying an unmapped array in-place with a mapped value raises an error under vmap."""
    target, mapped = ad.array([3.0, 4.0, 5.0]), ad.array([[3.0], [4.0]])
    ad.vmap(lambda row, x: write(ad, row, x))(mapped, ad.array([1.0, 2.0]))
    raises(lambda: ad.vmap(lambda x: write(ad, target, x))(ad.array([1.0, 2.0])))
    close(target, [3.0, 4.0, 5.0])


@behaviour(MUST, torch(UX, MUTATION), torch_func(UX, MUTATION))
def a_write_into_a_mapped_array_works(ad):
    """A mapped array can be modified in-place with a mapped value under vmap, which changes the input itself."""
    target = ad.array([[1.0, 2.0], [3.0, 4.0]])
    ad.vmap(lambda row, x: ad.add_(row, x))(target, ad.array([10.0, 20.0]))
    close(target, [[11.0, 12.0], [23.0, 24.0]])


@behaviour(MUST, torch(UX, EFFECTS), torch_func(UX, EFFECTS))
def vmap_calls_the_function_once(ad):
    """Without chunk_size, vmap calls the function once for all examples: its Python side effects happen once."""
    seen = []
    ad.vmap(lambda x: seen.append(x) or 2 * x)(ad.array([1.0, 2.0, 5.0]))
    equal(len(seen), 1)


@behaviour(
    MUST,
    torch(UX, OUT, raises=Exception, says="out="),
    aliases=("batching rule not implemented for out",),
)
def an_out_argument_raises_an_error(ad):
    """An operation on a mapped array with the argument out= raises an error under vmap."""
    out = ad.array([7.0, 7.0])
    raises(lambda: ad.vmap(lambda x: ad.write_out_(out, "add", x, 1.0))(ad.array([[1.0, 2.0], [3.0, 4.0]])))


@behaviour(
    MUST,
    torch("torch.vmap"),
    torch(UX, EFFECTS),
    torch_func("torch.func.vmap"),
    torch_func(UX, EFFECTS),
    cases={"one_by_one": (1, 5), "with_a_rest": (2, 3), "all_at_once": (5, 1)},
)
def vmap_calls_the_function_once_per_chunk(ad, size, calls):
    """With chunk_size, vmap calls the function once for that many examples at a time: for 5 examples in chunks of 1, 2
    or 5 it calls it 5, 3 or 1 times."""
    seen = []
    ad.vmap(lambda x: seen.append(x) or 2 * x, chunk_size=size)(ad.array([1.0, 2.0, 3.0, 4.0, 5.0]))
    equal(len(seen), calls)
