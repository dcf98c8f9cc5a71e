"""Batching: which dimensions are mapped, and where the batch comes out."""

from conformance.behaviour import MAY, MUST, behaviour, jax, torch, torch_func
from conformance.expect import close, one_of, raises


@behaviour(MUST, torch("torch.vmap"), jax("jax.vmap"), torch_func("torch.func.vmap"))
def mapping_equals_stacking_a_loop(ad):
    """A mapped program gives what a loop over the examples would, stacked: the dot products of two pairs of rows."""
    x, y = ad.array([[1.0, 2.0], [3.0, 4.0]]), ad.array([[5.0, 6.0], [7.0, 8.0]])
    close(ad.vmap(lambda a, b: ad.np.sum(a * b))(x, y), [17.0, 53.0])


@behaviour(
    MUST,
    torch("torch.vmap"),
    jax("jax.vmap"),
    torch_func("torch.func.vmap"),
    cases={
        "first": (0, [6.0, 60.0]),
        "second": (1, [11.0, 22.0, 33.0]),
        "last": (-1, [11.0, 22.0, 33.0]),
    },
)
def mapped_dimensions_can_be_chosen(ad, axis, expected):
    """The dimension that counts the examples is the one asked for, from the front or from the end."""
    close(ad.vmap(ad.np.sum, in_axes=axis)(ad.array([[1.0, 2.0, 3.0], [10.0, 20.0, 30.0]])), expected)


@behaviour(MUST, torch("torch.vmap"), jax("jax.vmap"), torch_func("torch.func.vmap"))
def one_argument_can_be_shared(ad):
    """An argument whose dimension is None is the same for every example."""
    mapped = ad.vmap(lambda x, y: ad.np.sum(x * y), in_axes=(0, None))
    close(mapped(ad.array([[1.0, 2.0], [3.0, 4.0]]), ad.array([10.0, 1.0])), [12.0, 34.0])


@behaviour(MUST, torch("torch.vmap"), jax("jax.vmap"), torch_func("torch.func.vmap"))
def each_array_of_a_container_has_its_dimension(ad):
    """Of a dictionary of arrays, each can be mapped over a dimension of its own, or over none."""
    mapped = ad.vmap(lambda d: ad.np.sum(d["x"] * d["y"]), in_axes=({"x": 1, "y": None},))
    close(mapped({"x": ad.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), "y": ad.array([10.0, 1.0])}), [14.0, 25.0, 36.0])


def _product(x=1.0, y=2.0):
    return x * y


@behaviour(
    MAY,
    torch("torch.vmap", raises=ValueError, says="vmap"),
    jax("jax.vmap", raises=ValueError, says="vmap"),
    torch_func("torch.func.vmap", raises=ValueError, says="vmap"),
    cases={
        "sizes": (0, lambda ad: (ad.array([1.0, 2.0]), ad.array([1.0, 2.0, 3.0]))),
        "nothing_mapped": ((None, None), lambda ad: (ad.array([1.0, 2.0]), ad.array([3.0, 4.0]))),
        "no_arguments": (0, lambda ad: ()),
        "number": (0, lambda ad: (5.0, ad.array([1.0, 2.0]))),
        "out_of_range": ((1, 0), lambda ad: (ad.array([1.0, 2.0]), ad.array([3.0, 4.0]))),
        "no_dimensions": (0, lambda ad: (ad.array(1.0), ad.array(2.0))),
        "structure": ((0,), lambda ad: (ad.array([1.0, 2.0]), ad.array([3.0, 4.0]))),
    },
)
def bad_dimensions_are_refused(ad, axes, arguments):
    """A map is refused if its in_axes do not fit the arguments, or give no single number of examples."""
    raises(lambda: ad.vmap(_product, in_axes=axes)(*arguments(ad)))


@behaviour(
    MUST,
    torch("torch.vmap"),
    jax("jax.vmap"),
    torch_func("torch.func.vmap"),
    cases={
        "first": (0, [[2.0, 4.0, 6.0], [8.0, 10.0, 12.0]]),
        "second": (1, [[2.0, 8.0], [4.0, 10.0], [6.0, 12.0]]),
        "last": (-1, [[2.0, 8.0], [4.0, 10.0], [6.0, 12.0]]),
    },
)
def the_batch_can_be_placed(ad, axis, expected):
    """The dimension that counts the examples comes out where it is asked for."""
    mapped = ad.vmap(lambda row: 2 * row, out_axes=axis)
    close(mapped(ad.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])), expected)


@behaviour(
    MUST,
    torch("torch.vmap", raises=ValueError, says="vmap("),
    jax("jax.vmap", raises=ValueError, says="vmap"),
    torch_func("torch.func.vmap", raises=ValueError, says="vmap("),
    cases={"none": (None,), "one_too_many": ((0, 0),)},
)
def a_batch_needs_a_place(ad, axes):
    """Results that differ between the examples are refused without a place for the batch, or with one too many."""
    mapped = ad.vmap(lambda row: 2 * row, out_axes=axes)
    raises(lambda: mapped(ad.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])))


@behaviour(MUST, torch("torch.vmap"), jax("jax.vmap"), torch_func("torch.func.vmap"))
def a_constant_is_repeated(ad):
    """A result that does not depend on the example is repeated for each."""
    close(ad.vmap(lambda x: ad.array([3.0, 4.0]))(ad.array([1.0, 2.0, 5.0])), [[3.0, 4.0], [3.0, 4.0], [3.0, 4.0]])


@behaviour(MUST, jax("jax.vmap"))
def a_constant_needs_no_place(ad):
    """A result that does not depend on the example comes out once if no place is given to the batch."""
    close(ad.vmap(lambda x: ad.array([3.0, 4.0]), out_axes=None)(ad.array([1.0, 2.0, 5.0])), [3.0, 4.0])


@behaviour(
    MUST,
    torch("torch.vmap", raises=ValueError, says="must only return Tensors"),
    torch_func("torch.func.vmap", raises=ValueError, says="must only return Tensors"),
)
def mapped_functions_return_arrays(ad):
    """A mapped program that returns a plain number is refused."""
    raises(lambda: ad.vmap(lambda x: 1.0)(ad.array([1.0, 2.0, 5.0])))


@behaviour(
    MUST,
    torch("torch.vmap"),
    jax("jax.vmap"),
    torch_func("torch.func.vmap"),
    cases={
        "tuple": (lambda x: (2 * x, x * x), ([2.0, 6.0], [1.0, 9.0])),
        "dictionary": (lambda x: {"double": 2 * x, "square": x * x}, {"double": [2.0, 6.0], "square": [1.0, 9.0]}),
    },
)
def mapped_functions_may_return_containers(ad, program, expected):
    """Where a mapped program returns several arrays, each comes out with a batch of its own."""
    close(ad.vmap(program)(ad.array([1.0, 3.0])), expected)


@behaviour(MAY, shared=(torch("torch.vmap"), torch_func("torch.func.vmap")), mapped=jax("jax.vmap"))
def keywords_are_not_mapped(ad):
    """An argument given by name is the same for every example, or is mapped over its first dimension."""
    x, y = ad.array([1.0, 2.0]), ad.array([3.0, 5.0])
    mapped = ad.vmap(lambda x, y: x * y)
    return one_of(lambda: mapped(x, y=y), shared=[[3.0, 5.0], [6.0, 10.0]], mapped=[3.0, 10.0])


@behaviour(MUST, torch("torch.vmap"), jax("jax.vmap"), torch_func("torch.func.vmap"))
def maps_nest(ad):
    """A map of a map has two batches, the outer one first: all products of two by three numbers."""
    products = ad.vmap(ad.vmap(lambda x, y: x * y, in_axes=(None, 0)), in_axes=(0, None))
    close(products(ad.array([1.0, 2.0]), ad.array([3.0, 5.0, 7.0])), [[3.0, 5.0, 7.0], [6.0, 10.0, 14.0]])


@behaviour(
    MUST,
    torch("torch.vmap"),
    torch_func("torch.func.vmap"),
    cases={"one_by_one": (1,), "with_a_rest": (2,), "all_at_once": (5,)},
)
def chunks_change_no_result(ad, size):
    """How many examples are computed at a time changes no result."""
    close(ad.vmap(lambda x: x * x, chunk_size=size)(ad.array([1.0, 2.0, 3.0])), [1.0, 4.0, 9.0])


@behaviour(
    MAY,
    torch("torch.vmap", raises=ValueError, says="chunk_size should be None or greater than 0"),
    torch_func("torch.func.vmap", raises=ValueError, says="chunk_size should be None or greater than 0"),
)
def a_chunk_has_a_positive_size(ad):
    """A chunk size of zero is refused."""
    x = ad.array([1.0, 2.0, 3.0])
    raises(lambda: ad.vmap(lambda x: x * x, chunk_size=0)(x))
