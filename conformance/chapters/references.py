"""References: memory that a differentiated program reads and writes, in an engine whose arrays cannot be written."""

from conformance.behaviour import MUST, behaviour, jax
from conformance.expect import close, raises

PAGE = "array_refs"
PURE = "Refs and automatic differentiation"
ARGUMENTS = "Differentiating with respect to Ref arguments"
DESTINATIONS = "Gradient refs for value arguments"


@behaviour(MUST, jax(PAGE, PURE))
def reads_follow_the_writes(ad):
    """A read before a write has the derivative of the old value, one after it that of the new: x times x^2."""

    def program(x):
        memory = ad.new_reference(x)
        before = ad.read_reference(memory)
        ad.write_reference_(memory, before * before)
        return before * ad.read_reference(memory)

    close(ad.grad(program)(ad.array(2.0)), 12.0)


@behaviour(MUST, jax(PAGE, PURE))
def an_element_is_written(ad):
    """A value written into an element passes its gradient back, and what stood there has none."""
    weights = ad.array([1.0, 10.0])

    def program(x):
        memory = ad.new_reference(x)
        ad.write_reference_(memory, 5 * x[1], 0)
        return ad.np.sum(weights * ad.read_reference(memory))

    close(ad.grad(program)(ad.array([2.0, 3.0])), [0.0, 15.0])


@behaviour(MUST, jax(PAGE, PURE))
def a_constant_is_written(ad):
    """An element that a constant overwrote has the gradient zero."""
    weights = ad.array([1.0, 10.0])

    def program(x):
        memory = ad.new_reference(x)
        ad.write_reference_(memory, ad.array(5.0), 0)
        return ad.np.sum(weights * ad.read_reference(memory))

    close(ad.grad(program)(ad.array([2.0, 3.0])), [0.0, 10.0])


@behaviour(MUST, jax(PAGE, PURE, raises=Exception, says="non-differentiated array reference"))
def a_variable_is_not_written_outside(ad):
    """A differentiated value is refused by a reference from outside the program."""
    outside = ad.new_reference(ad.array(1.0))

    def program(x):
        ad.write_reference_(outside, x)
        return x * x

    raises(lambda: ad.grad(program)(ad.array(3.0)))


@behaviour(MUST, jax(PAGE, since="0.10", raises=TypeError, says="ndarray or scalar"))
def a_reference_is_no_array(ad):
    """A reference is computed with by reading it: a function of arrays refuses it."""
    gradient = ad.grad(lambda x: ad.np.sin(ad.new_reference(x)))
    raises(lambda: gradient(ad.array(2.0)))


@behaviour(MUST, jax(PAGE, ARGUMENTS, since="0.11"))
def a_reference_needs_a_destination_for_its_gradient(ad):
    """The pullback of a program of a reference is refused where it has nowhere to put the gradient."""
    _, pullback = ad.vjp(lambda memory: ad.read_reference(memory) ** 2, ad.new_reference(ad.array(2.0)))
    raises(lambda: pullback(ad.array(1.0)))


@behaviour(MUST, jax(PAGE, ARGUMENTS, since="0.11"))
def a_reference_has_no_plain_gradient(ad):
    """The gradient with respect to a reference is refused."""
    gradient = ad.grad(lambda memory: ad.read_reference(memory) ** 2)
    raises(lambda: gradient(ad.new_reference(ad.array(2.0))))


@behaviour(MUST, jax(PAGE, DESTINATIONS, since="0.11"))
def each_argument_has_a_destination(ad):
    """A pullback that is to add its cotangents to references is refused with one too few."""
    _, pullback = ad.vjp(lambda x, y: x * y, ad.array(2.0), ad.array(3.0))
    raises(lambda: ad.with_references(pullback, ad.new_reference(ad.array(0.0)))(ad.array(1.0)))
