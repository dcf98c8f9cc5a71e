"""Batching: what a mapped program may not ask of an example."""

from conformance.behaviour import MUST, behaviour, jax, torch, torch_func
from conformance.expect import close, equal, raises

UX = "func.ux_limitations"
CONTROL_FLOW = "Data-dependent Python control flow"
ITEM = "Data-dependent operations (.item())"
DYNAMIC = "Dynamic shape operations (nonzero and friends)"
MUTATION = "Mutation: in-place PyTorch Operations"
BOOL = "jax.errors.TracerBoolConversionError"
NUMBER = "jax.errors.ConcretizationTypeError"
MASK = "jax.errors.NonConcreteBooleanIndexError"


def _magnitude(x):
    return x if x > 0 else -x


def _doubled_if_a_vector(x):
    return 2 * x if len(x.shape) == 1 else x


@behaviour(
    MUST,
    torch(UX, CONTROL_FLOW, raises=RuntimeError, says="data-dependent control flow"),
    torch_func(UX, CONTROL_FLOW, raises=RuntimeError, says="data-dependent control flow"),
    jax("errors", BOOL, raises=BOOL, says="boolean conversion"),
)
def branching_on_a_mapped_value_is_refused(ad):
    """A Python branch on the numbers of an example is refused: there is one run for all examples."""
    raises(lambda: ad.vmap(_magnitude)(ad.array([1.0, -2.0])))


@behaviour(MUST, torch("torch.vmap"), torch_func("torch.func.vmap"), jax("jax.vmap"))
def branching_on_a_shape_works(ad):
    """A Python branch on the shape of an example works, and the batch is no part of that shape."""
    close(ad.vmap(_doubled_if_a_vector)(ad.array([[1.0, 2.0], [3.0, 4.0]])), [[2.0, 4.0], [6.0, 8.0]])


@behaviour(
    MUST,
    torch(UX, ITEM, raises=RuntimeError, says=".item()"),
    torch_func(UX, ITEM, raises=RuntimeError, says=".item()"),
    jax("errors", NUMBER, raises=NUMBER, says="abstract tracer"),
)
def a_mapped_value_has_no_number(ad):
    """An example cannot be read as a Python number, as it stands for all of them."""
    raises(lambda: ad.vmap(ad.number_of)(ad.array([1.0, 2.0])))


@behaviour(
    MUST,
    torch(UX, DYNAMIC, raises=RuntimeError, says="dynamic shape"),
    torch_func(UX, DYNAMIC, raises=RuntimeError, says="dynamic shape"),
    jax("errors", MASK, raises=MASK, says="must be concrete"),
)
def a_mapped_value_has_no_data_dependent_shape(ad):
    """Picking the positive numbers of each example is refused, as the examples might not have equally many."""
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
)
def a_mapped_value_cannot_be_written_into_an_unmapped_array(ad, write):
    """Writing an example into an array that is not mapped is refused: it has room for one example only."""
    target = ad.array([3.0, 4.0, 5.0])
    raises(lambda: ad.vmap(lambda x: write(ad, target, x))(ad.array([1.0, 2.0])))
    close(target, [3.0, 4.0, 5.0])


@behaviour(MUST, torch(UX, MUTATION), torch_func(UX, MUTATION))
def a_mapped_value_can_be_written_into_a_mapped_array(ad):
    """Writing an example into an array that is mapped, too, works, and reaches the array that was given."""
    target = ad.array([[1.0, 2.0], [3.0, 4.0]])
    ad.vmap(lambda row, x: ad.add_(row, x))(target, ad.array([10.0, 20.0]))
    close(target, [[11.0, 12.0], [23.0, 24.0]])


@behaviour(MUST, torch("torch.vmap"), torch_func("torch.func.vmap"), jax("jax.vmap"))
def the_function_runs_once(ad):
    """However many examples there are, the mapped program itself runs once."""
    seen = []
    ad.vmap(lambda x: seen.append(x) or 2 * x)(ad.array([1.0, 2.0, 5.0]))
    equal(len(seen), 1)
