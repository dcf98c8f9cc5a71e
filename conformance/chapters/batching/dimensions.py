"""Batching: which dimensions vmap maps over, and where the mapped dimension appears in the outputs."""

from conformance.behaviour import MAY, MUST, SHOULD, behaviour, jax, torch, torch_func
from conformance.expect import an_error, close, equal, one_of, raises

UX = "func.ux_limitations"
LIMITS = "vmap limitations"


@behaviour(MUST, torch(UX, LIMITS), jax("jax.vmap"), torch_func(UX, LIMITS), aliases=("vmap for loop",))
def vmap_equals_stacking_a_loop(ad):
    """For a pure function, vmap gives the stacked outputs of a loop: here the dot products of two pairs of rows."""
    x, y = ad.array([[1.0, 2.0], [3.0, 4.0]]), ad.array([[5.0, 6.0], [7.0, 8.0]])
    close(ad.vmap(lambda a, b: ad.np.sum(a * b))(x, y), [17.0, 53.0])


@behaviour(
    MUST,
    torch(UX, LIMITS),
    jax("jax.vmap"),
    torch_func(UX, LIMITS),
    cases={
        "product": (lambda ad, x, y: x * y,),
        "maximum": (lambda ad, x, y: ad.np.maximum(x, y),),
        "where": (lambda ad, x, y: ad.np.where(y > 0, x, y),),
        "single": (lambda ad, x, y: y * y,),
    },
    aliases=("vmap type promotion of numbers",),
)
def vmap_gives_the_dtype_of_the_loop(ad, function):
    """For a pure function, an output of vmap has the dtype that it has in a loop: here of a float64 number and a
    float32 vector for each example."""
    x, y = ad.array([3.0, 5.0]), ad.array([[-1.0, 2.0], [4.0, -6.0]], "float32")
    alone = function(ad, ad.array(3.0, "float64"), ad.array([-1.0, 2.0], "float32"))
    equal(ad.vmap(lambda x, y: function(ad, x, y))(x, y).dtype, alone.dtype)


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
    aliases=("in_dims",),
)
def mapped_dimensions_can_be_chosen(ad, axis, expected):
    """in_axes (in_dims) says which dimension of the inputs vmap maps over: the rows of a matrix, or its columns."""
    close(ad.vmap(ad.np.sum, in_axes=axis)(ad.array([[1.0, 2.0, 3.0], [10.0, 20.0, 30.0]])), expected)


@behaviour(MUST, torch("torch.vmap"), jax("jax.vmap"), torch_func("torch.func.vmap"), aliases=("vmap in_dims none",))
def an_argument_with_in_axes_none_is_not_mapped(ad):
    """An argument with in_axes (in_dims) None is not mapped by vmap: it is the same for every example."""
    mapped = ad.vmap(lambda x, y: ad.np.sum(x * y), in_axes=(0, None))
    close(mapped(ad.array([[1.0, 2.0], [3.0, 4.0]]), ad.array([10.0, 1.0])), [12.0, 34.0])


@behaviour(MUST, torch("torch.vmap"), jax("jax.vmap"), torch_func("torch.func.vmap"), aliases=("vmap over a dict",))
def in_axes_can_be_a_container(ad):
    """in_axes can be a container that matches the input: for a dictionary, one dimension or None for each array."""
    mapped = ad.vmap(lambda d: ad.np.sum(d["x"] * d["y"]), in_axes=({"x": 1, "y": None},))
    close(mapped({"x": ad.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), "y": ad.array([10.0, 1.0])}), [14.0, 25.0, 36.0])


def _product(x=1.0, y=2.0):
    return x * y


@behaviour(
    SHOULD,
    torch("torch.vmap", raises=Exception, says="vmap"),
    jax("jax.vmap", raises=Exception, says="vmap"),
    torch_func("torch.func.vmap", raises=Exception, says="vmap"),
    cases={
        "sizes": (0, lambda ad: (ad.array([1.0, 2.0]), ad.array([1.0, 2.0, 3.0]))),
        "nothing_mapped": ((None, None), lambda ad: (ad.array([1.0, 2.0]), ad.array([3.0, 4.0]))),
        "no_arguments": (0, lambda ad: ()),
        "number": (0, lambda ad: (5.0, ad.array([1.0, 2.0]))),
        "out_of_range": ((1, 0), lambda ad: (ad.array([1.0, 2.0]), ad.array([3.0, 4.0]))),
        "no_dimensions": (0, lambda ad: (ad.array(1.0), ad.array(2.0))),
        "structure": ((0,), lambda ad: (ad.array([1.0, 2.0]), ad.array([3.0, 4.0]))),
    },
    aliases=("vmap got inconsistent sizes for array axes to be mapped",),
)
def in_axes_that_do_not_match_raise_an_error(ad, axes, arguments):
    """vmap raises an error if in_axes does not match the arguments, if it maps none of them and no axis_size is given,
    or if the mapped dimensions differ in size."""
    close(ad.vmap(_product, in_axes=(0, None))(ad.array([1.0, 2.0]), ad.array(3.0)), [3.0, 6.0])
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
    aliases=("out_dims",),
)
def out_axes_says_where_the_mapped_dimension_appears(ad, axis, expected):
    """out_axes (out_dims) says where the mapped dimension appears in the output of vmap."""
    mapped = ad.vmap(lambda row: 2 * row, out_axes=axis)
    close(mapped(ad.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])), expected)


@behaviour(
    SHOULD,
    torch("torch.vmap", raises=Exception, says="vmap"),
    jax("jax.vmap", raises=Exception, says="vmap"),
    jax("pytrees", raises=Exception, says="vmap"),
    torch_func("torch.func.vmap", raises=Exception, says="vmap"),
    cases={"none": (None,), "one_too_many": ((0, 0),)},
)
def out_axes_that_do_not_match_raise_an_error(ad, axes):
    """vmap raises an error if out_axes is None for a mapped output, or has more entries than there are outputs."""
    rows = ad.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    close(ad.vmap(lambda row: 2 * row, out_axes=1)(rows), [[2.0, 8.0], [4.0, 10.0], [6.0, 12.0]])
    mapped = ad.vmap(lambda row: 2 * row, out_axes=axes)
    raises(lambda: mapped(rows))


@behaviour(MUST, torch("torch.vmap"), jax("jax.vmap"), torch_func("torch.func.vmap"))
def an_unmapped_output_is_broadcast(ad):
    """By default, vmap broadcasts an output that does not depend on the mapped inputs: it repeats it per example."""
    close(ad.vmap(lambda x: ad.array([3.0, 4.0]))(ad.array([1.0, 2.0, 5.0])), [[3.0, 4.0], [3.0, 4.0], [3.0, 4.0]])


@behaviour(
    MUST,
    torch("torch.vmap"),
    jax("jax.vmap"),
    torch_func("torch.func.vmap"),
    cases={
        "second": (1, [[[3.0, 4.0]] * 3, [[5.0, 7.0]] * 3]),
        "last": (-1, [[[3.0] * 3, [4.0] * 3], [[5.0] * 3, [7.0] * 3]]),
    },
    aliases=("vmap out_dims=-1",),
    was=("batching.an_unmapped_output_can_be_broadcast_along_the_last_dimension",),
)
def an_unmapped_output_can_be_broadcast_along_another_dimension(ad, axis, expected):
    """With out_axes (out_dims), vmap repeats an output that does not depend on the mapped inputs along a new dimension
    at that index."""
    repeated = ad.vmap(lambda x: ad.array([[3.0, 4.0], [5.0, 7.0]]), out_axes=axis)(ad.array([1.0, 2.0, 5.0]))
    close(repeated, expected)


@behaviour(MUST, jax("jax.vmap"))
def an_unmapped_output_can_have_out_axes_none(ad):
    """With out_axes=None, vmap returns an output that does not depend on the mapped inputs once, not per example."""
    close(ad.vmap(lambda x: ad.array([3.0, 4.0]), out_axes=None)(ad.array([1.0, 2.0, 5.0])), [3.0, 4.0])


@behaviour(
    MUST,
    error=(
        torch("torch.vmap", raises=Exception, says="return Tensors"),
        torch_func("torch.func.vmap", raises=Exception, says="return Tensors"),
    ),
    repeated=jax("jax.vmap"),
    aliases=("must only return tensors",),
)
def a_python_number_is_returned_under_vmap(ad):
    """By default, vmap of a function that returns a Python number raises an error, or repeats the number for each
    example."""
    mapped = ad.vmap(lambda x: 7.0)
    return one_of(lambda: mapped(ad.array([1.0, 2.0, 5.0])), error=an_error, repeated=[7.0, 7.0, 7.0])


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
def functions_under_vmap_can_return_containers(ad, program, expected):
    """A function under vmap can return a tuple or a dictionary: each array in it gets the mapped dimension."""
    close(ad.vmap(program)(ad.array([1.0, 3.0])), expected)


@behaviour(
    MUST, shared=(torch("torch.vmap"), torch_func("torch.func.vmap")), mapped=jax("jax.vmap"), aliases=("vmap kwargs",)
)
def keyword_arguments_are_mapped_or_not(ad):
    """A keyword argument is not mapped by vmap, or is always mapped over its first dimension."""
    x, y = ad.array([1.0, 2.0]), ad.array([3.0, 5.0])
    mapped = ad.vmap(lambda x, y: x * y)
    return one_of(lambda: mapped(x, y=y), shared=[[3.0, 5.0], [6.0, 10.0]], mapped=[3.0, 10.0])


@behaviour(
    MUST, torch("torch.vmap"), jax("automatic-vectorization"), torch_func("torch.func.vmap"), aliases=("nested vmap",)
)
def vmap_nests(ad):
    """vmap can be nested: vmap over x of vmap over y maps x * y to the outer product, with one row for each x."""
    products = ad.vmap(ad.vmap(lambda x, y: x * y, in_axes=(None, 0)), in_axes=(0, None))
    close(products(ad.array([1.0, 2.0]), ad.array([3.0, 5.0, 7.0])), [[3.0, 5.0, 7.0], [6.0, 10.0, 14.0]])


@behaviour(
    MUST,
    torch("torch.vmap"),
    torch_func("torch.func.vmap"),
    cases={"one_by_one": (1,), "with_a_rest": (2,), "all_at_once": (5,)},
)
def chunk_size_changes_no_output(ad, size):
    """chunk_size, how many examples vmap computes at a time, does not change the outputs of a pure function."""
    mapped = ad.vmap(lambda x, y: (x * y, ad.np.sum(x)), (1, None), (1, 0), chunk_size=size)
    outputs = mapped(ad.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), ad.array([10.0, 100.0]))
    close(outputs, ([[10.0, 20.0, 30.0], [400.0, 500.0, 600.0]], [5.0, 7.0, 9.0]))


@behaviour(
    MAY,
    torch("torch.vmap", raises=Exception, says="chunk_size", unstated="only the message of the error states it"),
    torch_func(
        "torch.func.vmap", raises=Exception, says="chunk_size", unstated="only the message of the error states it"
    ),
)
def a_chunk_size_of_zero_raises_an_error(ad):
    """vmap with chunk_size=0 raises an error."""
    x = ad.array([1.0, 2.0, 3.0])
    close(ad.vmap(lambda x: x * x, chunk_size=1)(x), [1.0, 4.0, 9.0])
    raises(lambda: ad.vmap(lambda x: x * x, chunk_size=0)(x))
