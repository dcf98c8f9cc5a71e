"""Options together, transforms: axes, chunks and randomness of vmap, strict and has_aux of jvp."""

from conformance.behaviour import MAY, MUST, behaviour, jax, torch_func
from conformance.expect import close, equal, raises


def _scaled(ad, x):
    return x * ad.array([10.0, 100.0]), ad.np.sum(x)


def _drawing(ad, x):
    return x * ad.array([10.0, 100.0]) + 0 * ad.draw((2,)), ad.np.sum(x)


@behaviour(
    MUST,
    torch_func("torch.func.vmap"),
    cases={
        "chunk_size": (lambda ad, f: ad.vmap(f, 1, (1, 0), chunk_size=2), _scaled),
        "randomness": (lambda ad, f: ad.vmap(f, 1, (1, 0), "different"), _drawing),
        "both": (lambda ad, f: ad.vmap(f, 1, (1, 0), "different", 2), _drawing),
    },
)
def vmap_takes_and_places_axes_beside_its_other_options(ad, mapped, program):
    """With `chunk_size`, with `randomness="different"` for a function that draws random numbers, or with both, vmap
    maps over the axis of `in_dims`, and the mapped axis of each of two outputs is where `out_dims` says."""
    outputs = mapped(ad, lambda x: program(ad, x))(ad.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]))
    close(outputs, ([[10.0, 20.0, 30.0], [400.0, 500.0, 600.0]], [5.0, 7.0, 9.0]))


@behaviour(MUST, torch_func("torch.func.vmap"), jax("jax.vmap"))
def vmap_takes_and_places_axes_of_each(ad):
    """vmap maps over the axis given for each of two arguments, and each of two outputs has the mapped axis at the index
    given for it."""
    x, y = ad.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), ad.array([[1.0, 10.0], [2.0, 20.0], [3.0, 30.0]])
    mapped = ad.vmap(lambda x, y: (x * y, x - y), in_axes=(1, 0), out_axes=(1, 0))
    close(mapped(x, y), ([[1.0, 4.0, 9.0], [40.0, 100.0, 180.0]], [[0.0, -6.0], [0.0, -15.0], [0.0, -24.0]]))


@behaviour(
    MUST,
    torch_func("torch.func.vmap"),
    cases={
        "randomness": (lambda ad, f: ad.vmap(f, (1, 0), (1, 0), "different"), lambda ad: 0 * ad.draw((2,))),
        "chunk_size": (lambda ad, f: ad.vmap(f, (1, 0), (1, 0), chunk_size=2), lambda ad: 0.0),
    },
)
def vmap_takes_each_argument_along_its_axis_beside_its_other_options(ad, mapped, zero):
    """With `chunk_size`, or with `randomness="different"` for a function that draws random numbers, vmap maps over the
    axis of each of two arguments that `in_dims` says, and the mapped axis of each of two outputs is where `out_dims`
    says."""
    x, y = ad.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), ad.array([[1.0, 10.0], [2.0, 20.0], [3.0, 30.0]])
    outputs = mapped(ad, lambda x, y: (x * y + zero(ad), x - y))(x, y)
    close(outputs, ([[1.0, 4.0, 9.0], [40.0, 100.0, 180.0]], [[0.0, -6.0], [0.0, -15.0], [0.0, -24.0]]))


@behaviour(MUST, torch_func("torch.func.vmap"), jax("jax.vmap"))
def vmap_keeps_single_precision(ad):
    """The outputs of vmap are those of the function for each example, with their dtypes: here float32 of a float32
    argument, and float64 of a float64 argument."""
    x, y = ad.array([1.0, 2.0], "float32"), ad.array([3.0, 5.0])
    single, double = ad.vmap(lambda x, y: (3 * x, 2 * y))(x, y)
    close(single, [3.0, 6.0], dtype="float32")
    close(double, [6.0, 10.0])


@behaviour(MUST, torch_func("torch.func.vmap"))
def random_draws_differ_in_chunks(ad):
    """With `randomness="different"` and `chunk_size`, random draws under vmap differ between examples of one chunk, and
    between examples of two chunks."""
    draws = ad.vmap(lambda x: x + ad.draw((1,)), 0, 0, "different", 2)(ad.array([0.0, 0.0, 0.0, 0.0]))
    same_chunk = bool(draws[0] == draws[1]), bool(draws[2] == draws[3])
    other_chunk = bool(draws[0] == draws[2]), bool(draws[1] == draws[2])
    equal((same_chunk, other_chunk), ((False, False), (False, False)))


@behaviour(
    MAY,
    torch_func(
        "torch.func.jvp",
        raises=Exception,
        says="independent of the inputs",
        unstated="only the message of the error states it",
    ),
    cases={"constant": (lambda ad, x: ad.array(5.0),), "dependent": (lambda ad, x: 2 * x,)},
)
def strict_jvp_with_auxiliary_output_raises_for_a_constant(ad, other):
    """A JVP with `strict` and `has_aux` raises an error for an output that does not depend on the input, whether or not
    the auxiliary output depends on it."""
    raises(lambda: ad.jvp(lambda x: (ad.array(2.0), other(ad, x)), (ad.array(3.0),), (ad.array(1.0),), True, True))


@behaviour(MUST, torch_func("torch.func.jvp"))
def strict_jvp_gives_each_output_and_tangent(ad):
    """A JVP with `strict` and `has_aux` gives each of two outputs, the tangent of each, and the auxiliary output."""
    primals, tangents = (ad.array(1.0), ad.array(3.0)), (ad.array(2.0), ad.array(5.0))
    found = ad.jvp(lambda x, y: ((x**3 * y, y**2), 7 * x), primals, tangents, has_aux=True, strict=True)
    close(found, ((3.0, 9.0), (23.0, 30.0), 7.0))
