"""References: Refs (jax.new_ref), mutable arrays that a differentiated function reads and writes."""

from conformance.behaviour import MAY, MUST, SHOULD, behaviour, jax
from conformance.expect import close, equal, raises

PAGE = "array_refs"
PURE = "Refs and automatic differentiation"
ARGUMENTS = "Differentiating with respect to Ref arguments"
VALUES = "Gradient refs for value arguments"


@behaviour(MUST, jax(PAGE, PURE), aliases=("mutable array",))
def the_gradient_follows_reads_and_writes(ad):
    """Reads of a Ref before and after a write differ: x, read before, times x², read after, has the gradient 3x²."""

    def program(x):
        memory = ad.new_reference(x)
        before = ad.read_reference(memory)
        ad.write_reference_(memory, before * before)
        return before * ad.read_reference(memory)

    close(ad.grad(program)(ad.array(2.0)), 12.0)


@behaviour(MUST, jax(PAGE, PURE))
def a_write_to_an_element_passes_the_gradient(ad):
    """After a write to an element of a Ref, the gradient flows to the written value, and not to the overwritten one."""
    weights = ad.array([1.0, 10.0])

    def program(x):
        memory = ad.new_reference(x)
        ad.write_reference_(memory, 5 * x[1], 0)
        return ad.np.sum(weights * ad.read_reference(memory))

    close(ad.grad(program)(ad.array([2.0, 3.0])), [0.0, 15.0])


@behaviour(MUST, jax(PAGE, PURE))
def an_element_overwritten_by_a_constant_has_zero_gradient(ad):
    """If a constant overwrites an element of a Ref, the value that it held before has the gradient 0."""
    weights = ad.array([1.0, 10.0])

    def program(x):
        memory = ad.new_reference(x)
        ad.write_reference_(memory, ad.array(5.0), 0)
        return ad.np.sum(weights * ad.read_reference(memory))

    close(ad.grad(program)(ad.array([2.0, 3.0])), [0.0, 10.0])


@behaviour(
    MUST, jax(PAGE, PURE, raises=Exception, says="non-differentiated array reference"), aliases=("plumbing ref",)
)
def writing_a_differentiated_value_to_an_outside_ref_raises_an_error(ad):
    """Writing a differentiated value to an outside Ref that is not itself differentiated raises an error."""
    outside = ad.new_reference(ad.array(1.0))

    def program(x):
        ad.write_reference_(outside, x)
        return x * x

    raises(lambda: ad.grad(program)(ad.array(3.0)))


@behaviour(MUST, jax(PAGE, since="0.7.1", raises=Exception, says="at position 0"))
def a_ref_is_not_an_array(ad):
    """Passing a Ref, instead of what is read from it, to an array function such as sin raises an error."""
    gradient = ad.grad(lambda x: ad.np.sin(ad.new_reference(x)))
    raises(lambda: gradient(ad.array(2.0)))


@behaviour(
    MUST,
    jax(PAGE, ARGUMENTS, since="0.11", raises=Exception, says="with_refs"),
    aliases=("gradient accumulation into a ref",),
)
def a_ref_argument_needs_with_refs(ad):
    """The pullback of a function of a Ref raises an error if it is called without with_refs()."""
    _, pullback = ad.vjp(lambda memory: ad.read_reference(memory) ** 2, ad.new_reference(ad.array(2.0)))
    raises(lambda: pullback(ad.array(1.0)))


@behaviour(MUST, jax(PAGE, PURE, since="0.11", raises=Exception, says="with_refs"))
def grad_with_respect_to_a_ref_raises_an_error(ad):
    """grad with respect to a Ref argument raises an error: the gradient of a Ref must be accumulated into a Ref."""
    gradient = ad.grad(lambda memory: ad.read_reference(memory) ** 2)
    raises(lambda: gradient(ad.new_reference(ad.array(2.0))))


@behaviour(SHOULD, jax(PAGE, ARGUMENTS, since="0.11", raises=Exception, says="tree structure"))
def with_refs_takes_one_entry_per_argument(ad):
    """with_refs() of a pullback raises an error for fewer entries than the differentiated function has arguments."""
    _, pullback = ad.vjp(lambda x, y: x * y, ad.array(2.0), ad.array(3.0))
    raises(lambda: ad.with_references(pullback, ad.new_reference(ad.array(0.0)))(ad.array(1.0)))


@behaviour(
    MUST,
    jax(PAGE, ARGUMENTS, since="0.11"),
    jax(PAGE, VALUES, since="0.11"),
    aliases=("gradient accumulation over microbatches",),
)
def with_refs_adds_the_gradient_to_the_ref(ad):
    """with_refs() accumulates the gradient of each argument into the Ref bound to it: it is added to what the Ref
    holds, also in a second backward pass."""
    first, second = ad.new_reference(ad.array(100.0)), ad.new_reference(ad.array(200.0))
    _, pullback = ad.vjp(lambda x, y: x * y, ad.array(2.0), ad.array(3.0))
    ad.with_references(pullback, first, second)(ad.array(1.0))
    close((ad.read_reference(first), ad.read_reference(second)), (103.0, 202.0))
    _, pullback = ad.vjp(lambda x, y: x * y, ad.array(5.0), ad.array(7.0))
    ad.with_references(pullback, first, second)(ad.array(10.0))
    close((ad.read_reference(first), ad.read_reference(second)), (173.0, 252.0))


@behaviour(MUST, jax(PAGE, VALUES, since="0.11"), aliases=("gradvalue", "dontwant"))
def with_refs_mixes_values_and_refs(ad):
    """with_refs() takes for each argument a Ref, to which the pullback adds the gradient, GradValue(), for which it
    returns the gradient, or DontWant(), for which it returns no gradient."""
    total = ad.new_reference(ad.array(100.0))
    _, pullback = ad.vjp(lambda x, y, z: x * y * z, ad.array(2.0), ad.array(3.0), ad.array(5.0))
    unwanted, value, _ = ad.with_references(pullback, "unwanted", "value", total)(ad.array(1.0))
    close((value, ad.read_reference(total)), (10.0, 106.0))
    equal(isinstance(unwanted, type(value)), False)


@behaviour(MUST, jax(PAGE, ARGUMENTS, since="0.11"))
def writes_to_a_ref_argument_are_differentiated(ad):
    """A write to a Ref argument within the differentiated function is differentiated: the gradient is that with respect
    to the initial value of the Ref."""

    def program(memory):
        ad.write_reference_(memory, ad.read_reference(memory) ** 2)
        return 5 * ad.read_reference(memory)

    total = ad.new_reference(ad.array(100.0))
    output, pullback = ad.vjp(program, ad.new_reference(ad.array(3.0)))
    ad.with_references(pullback, total)(ad.array(2.0))
    close((output, ad.read_reference(total)), (45.0, 160.0))


@behaviour(MUST, jax(PAGE, PURE), aliases=("plumbing ref",))
def a_stopped_value_can_be_written_to_an_outside_ref(ad):
    """A function under grad can write stop_gradient of a value to a Ref argument that grad is not with respect to: the
    write happens, and the gradient is unchanged."""
    outside = ad.new_reference(ad.array(100.0))

    def program(x, memory):
        ad.write_reference_(memory, ad.read_reference(memory) + ad.detach(5 * x))
        return x * x

    close(ad.grad(program, 0)(ad.array(3.0), outside), 6.0)
    close(ad.read_reference(outside), 115.0)


def _cube(ad, x):
    memory = ad.new_reference(x)
    before = ad.read_reference(memory)
    ad.write_reference_(memory, before * before)
    return before * ad.read_reference(memory)


@behaviour(
    MUST,
    jax(PAGE, "Pure and impure functions"),
    cases={
        "jvp": (lambda ad, f: ad.jvp(f, (ad.array(2.0),), (ad.array(5.0),)), (8.0, 60.0)),
        "vmap_of_grad": (lambda ad, f: ad.vmap(ad.grad(f))(ad.array([2.0, 3.0])), [12.0, 27.0]),
        "grad_of_vmap": (lambda ad, f: ad.grad(lambda x: ad.np.sum(ad.vmap(f)(x)))(ad.array([2.0, 3.0])), [12.0, 27.0]),
        "jacfwd": (lambda ad, f: ad.jacfwd(f)(ad.array(5.0)), 75.0),
        "reverse_over_reverse": (lambda ad, f: ad.grad(ad.grad(f))(ad.array(5.0)), 30.0),
        "forward_over_reverse": (lambda ad, f: ad.jvp(ad.grad(f), (ad.array(2.0),), (ad.array(5.0),)), (12.0, 60.0)),
        "reverse_over_forward": (
            lambda ad, f: ad.grad(lambda x: ad.jvp(f, (x,), (ad.array(5.0),))[1])(ad.array(3.0)),
            90.0,
        ),
    },
    aliases=("jaxlib._jax.arrayimpl object has no attribute accum", "got axis spec none but output was batched"),
)
def a_function_with_an_inner_ref_can_be_transformed(ad, transformed, expected):
    """A function that uses a Ref only internally can be transformed in the usual way: here x³, computed by a write to
    the Ref."""
    close(transformed(ad, lambda x: _cube(ad, x)), expected)


@behaviour(MAY, jax(PAGE, PURE))
def a_backward_rule_can_write_to_a_ref(ad):
    """A Ref argument that a `custom_vjp` forward rule returns as its residual can be written by the backward rule, here
    with the cotangent."""

    def backward(memory, g):
        ad.write_reference_(memory, g)
        return None, g

    stash = ad.custom_vjp(lambda memory, x: (x, memory), backward, primal=lambda memory, x: x)
    stashed = ad.new_reference(ad.array(0.0))
    close(ad.grad(lambda x: 7 * stash(stashed, 5 * x))(ad.array(3.0)), 35.0)
    close(ad.read_reference(stashed), 7.0)


@behaviour(MAY, jax(PAGE, "foreach, a new way to write scan"))
def a_loop_can_read_a_ref_in_any_order(ad):
    """The body of a scan can read elements of a Ref in any order, also twice: their cotangents add up."""
    order, weights = ad.array([2, 0, 2, 1]), ad.array([1.0, 10.0, 100.0, 1000.0])

    def program(x):
        memory = ad.new_reference(x)
        _, read = ad.scan(lambda carry, i: (carry, ad.read_reference(memory, i)), x[0], order)
        return ad.np.sum(weights * read)

    close(ad.grad(program)(ad.array([2.0, 3.0, 5.0])), [10.0, 1000.0, 101.0])
