"""References: Refs (jax.new_ref), mutable arrays that a differentiated function reads and writes."""

from conformance.behaviour import MUST, SHOULD, behaviour, jax
from conformance.expect import close, raises

PAGE = "array_refs"
PURE = "Refs and automatic differentiation"
ARGUMENTS = "Differentiating with respect to Ref arguments"


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


@behaviour(MUST, jax(PAGE, since="0.10", raises=Exception, says="at position 0"))
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
    """The pullback of a function of a Ref raises an error without with_refs(), which takes a Ref for the gradient."""
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
