"""Options together, transforms: axes, chunks and randomness of vmap, strict and has_aux of jvp."""

from conformance.behaviour import MAY, MUST, SHOULD, behaviour, jax, torch_func
from conformance.expect import close, equal, raises


def _scaled(ad, x):
    return x * ad.array([10.0, 100.0]), ad.np.sum(x)


@behaviour(
    MUST,
    torch_func("torch.func.vmap"),
    cases={
        "chunk_size": (lambda ad, f: ad.vmap(f, 1, (1, 0), chunk_size=2),),
        "randomness": (lambda ad, f: ad.vmap(f, 1, (1, 0), "different"),),
        "both": (lambda ad, f: ad.vmap(f, 1, (1, 0), "different", 2),),
    },
)
def vmap_takes_and_places_axes_beside_its_other_options(ad, mapped):
    """With `chunk_size` or `randomness`, vmap takes examples along `in_dims`, and places each output along its own of
    `out_dims`."""
    outputs = mapped(ad, lambda x: _scaled(ad, x))(ad.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]))
    close(outputs, ([[10.0, 20.0, 30.0], [400.0, 500.0, 600.0]], [5.0, 7.0, 9.0]))


@behaviour(MUST, torch_func("torch.func.vmap"), jax("jax.vmap"))
def vmap_takes_and_places_axes_of_each(ad):
    """vmap takes each argument along its own axis, and places each output along its own."""
    x, y = ad.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), ad.array([[1.0, 10.0], [2.0, 20.0], [3.0, 30.0]])
    mapped = ad.vmap(lambda x, y: (x * y, x - y), in_axes=(1, 0), out_axes=(1, 0))
    close(mapped(x, y), ([[1.0, 4.0, 9.0], [40.0, 100.0, 180.0]], [[0.0, -6.0], [0.0, -15.0], [0.0, -24.0]]))


@behaviour(
    MUST,
    torch_func("torch.func.vmap"),
    cases={
        "randomness": (lambda ad, f: ad.vmap(f, (1, 0), (1, 0), "different"),),
        "chunk_size": (lambda ad, f: ad.vmap(f, (1, 0), (1, 0), chunk_size=2),),
    },
)
def vmap_takes_each_argument_along_its_axis_beside_its_other_options(ad, mapped):
    """With `chunk_size` or `randomness`, vmap takes each of two arguments along its own of `in_dims`."""
    x, y = ad.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), ad.array([[1.0, 10.0], [2.0, 20.0], [3.0, 30.0]])
    outputs = mapped(ad, lambda x, y: (x * y, x - y))(x, y)
    close(outputs, ([[1.0, 4.0, 9.0], [40.0, 100.0, 180.0]], [[0.0, -6.0], [0.0, -15.0], [0.0, -24.0]]))


@behaviour(MUST, torch_func("torch.func.vmap"), jax("jax.vmap"))
def vmap_keeps_single_precision(ad):
    """vmap gives what each example gives: of float32 examples float32 outputs, and beside a float64 argument
    float64."""
    x, y = ad.array([1.0, 2.0], "float32"), ad.array([3.0, 5.0])
    single, double = ad.vmap(lambda x, y: (3 * x, 2 * y))(x, y)
    close(single, [3.0, 6.0], dtype="float32")
    close(double, [6.0, 10.0])


@behaviour(MUST, torch_func("torch.func.vmap"))
def random_draws_differ_in_chunks(ad):
    """With `randomness="different"`, draws under vmap differ between examples, of one chunk, too."""
    draws = ad.vmap(lambda x: x + ad.draw((1,)), 0, 0, "different", 2)(ad.array([0.0, 0.0, 0.0, 0.0]))
    equal([bool(draws[0] == draws[1]), bool(draws[1] == draws[2])], [False, False])


@behaviour(
    SHOULD,
    torch_func("torch.func.jvp", raises=Exception, says="independent"),
    cases={"plain": (lambda x: x / x * 0 + 1,), "unused": (lambda x: 1.0 * x,)},
)
def strict_jvp_with_auxiliary_output_raises_for_a_constant(ad, other):
    """jvp with `strict` and `has_aux` raises an error for an output that does not depend on the input."""
    raises(lambda: ad.jvp(lambda x: (ad.array(2.0), other(x)), (ad.array(3.0),), (ad.array(1.0),), True, True))


@behaviour(MAY, torch_func("torch.func.jvp"))
def strict_jvp_gives_each_output_and_tangent(ad):
    """jvp with `strict` and `has_aux` of (x³y, y²) and the auxiliary 7x at (1, 3) for (2, 5) gives the outputs (3, 9),
    the tangents (23, 30) and 7."""
    primals, tangents = (ad.array(1.0), ad.array(3.0)), (ad.array(2.0), ad.array(5.0))
    found = ad.jvp(lambda x, y: ((x**3 * y, y**2), 7 * x), primals, tangents, has_aux=True, strict=True)
    close(found, ((3.0, 9.0), (23.0, 30.0), 7.0))
