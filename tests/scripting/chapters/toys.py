"""Toys: what an engine that does not differentiate can be asked."""

from conformance.behaviour import MUST, behaviour, jax, torch
from conformance.expect import an_error, close, equal, one_of, raises

VIEW = torch("torch.Tensor.backward")


@behaviour(MUST, VIEW)
def an_expression(ad):
    """A verb of one expression takes the place of its call."""
    close(ad.np.exp(ad.array([0.0])), [1.0])


@behaviour(MUST, VIEW)
def an_argument_that_is_used_twice(ad):
    """A value that is made once stays made once."""
    close(ad.np.square(ad.np.exp(ad.array(0.0))), 1.0)


@behaviour(MUST, VIEW)
def a_name_that_is_used_twice(ad):
    """A name may stand twice."""
    x = ad.array(3.0)
    close(ad.np.square(x), 9.0)


@behaviour(MUST, VIEW)
def a_statement(ad):
    """A verb of one statement takes the place of a call that nobody asks for its value."""
    x = ad.array([1.0, 2.0])
    ad.set_item_(x, 0, 5.0)
    close(x, [5.0, 2.0])


@behaviour(MUST, VIEW)
def a_name_that_a_verb_binds_anew(ad):
    """`x += y` within a verb leaves the name outside alone where numbers cannot be written."""
    x = 1.0
    ad.augment_(x, 1.0)
    equal(x, 1.0)


@behaviour(MUST, VIEW, cases={"value": (7.0,)})
def a_name_within_a_lambda(ad, value):
    """A parameter of a lambda hides that of the check which has the same name."""
    close((lambda value: 2 * value)(ad.array(1.0)) + value, 9.0)


@behaviour(MUST, VIEW)
def a_function_beside_the_adapter(ad):
    """A function that a verb calls comes along."""
    close(ad.detach(ad.array([1.0])), [2.0])


@behaviour(MUST, VIEW)
def a_verb_with_a_condition(ad):
    """A verb that has to choose comes along as a function."""
    close(ad.checkpoint(lambda x: 3 * x)(ad.array(1.0)), 3.0)


@behaviour(MUST, VIEW)
def a_verb_that_is_handed_on(ad):
    """A verb that only passes on is the engine's own function."""
    close(tuple(map(ad.np.exp, (ad.array(0.0), ad.array(0.0)))), (1.0, 1.0))


def _half(ad, x, np):
    return ad.np.exp(x) / np


@behaviour(MUST, VIEW, cases={"two": (2.0, _half), "four": (4.0, lambda ad, x, by: ad.np.exp(x) / by)})
def a_case(ad, number, function):
    """Functions of the chapter come along without the engine, and names that are taken are left alone."""
    close(function(ad, ad.array(0.0), number), 1 / number)


@behaviour(MUST, torch("torch.Tensor.backward", raises=IndexError, says="out of bounds"))
def a_refusal(ad):
    """A statement may be refused, as promised."""
    x = ad.array([1.0])
    raises(lambda: ad.set_item_(x, 3, 5.0))


@behaviour(MUST, torch("torch.Tensor.backward", raises=KeyError))
def another_refusal(ad):
    """The engine refuses otherwise than promised."""
    x = ad.array([1.0])
    raises(lambda: ad.set_item_(x, 3, 5.0))


@behaviour(MUST, grows=torch("torch.Tensor.backward"), refused=jax("jax.grad", raises=TypeError))
def an_answer(ad):
    """The engine gives one of two conventions."""
    return one_of(lambda: ad.np.exp(ad.array(0.0)), grows=1.0, refused=an_error)


@behaviour(MUST, VIEW)
def a_disappointment(ad):
    """The engine does otherwise."""
    close(ad.np.exp(ad.array([0.0])), [2.0])


@behaviour(MUST, VIEW)
def an_exception(ad):
    """The engine raises without a promise."""
    close(ad.array("no number"), 1.0)


@behaviour(MUST, VIEW)
def a_verb_without_source(ad):
    """Nobody can say what this is."""
    equal(ad.number_of(ad.array(1.0)), 1.0)
