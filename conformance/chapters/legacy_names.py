"""Legacy names: how it was once done, and what has become of it."""

from conformance.behaviour import MAY, MUST, SHOULD, behaviour, document, torch
from conformance.expect import close, equal, raises, warns


@behaviour(MUST, torch("autograd", "Variable (deprecated)"), document("000"), document("004"))
def a_variable_is_a_plain_array(ad):
    """Wrapping an array as a Variable gives an array of the one type there is; the two merged in 0.4."""
    equal(ad.is_plain_array(ad.variable(ad.array([1.0, 1.0]))), True)


@behaviour(MUST, torch("autograd", "Variable (deprecated)"))
def a_variable_does_not_require_grad(ad):
    """A Variable requires grad only if that is asked for, like any array."""
    equal(ad.requires_grad(ad.variable(ad.array([1.0, 1.0]))), False)


@behaviour(MAY, document("000", warns=UserWarning, says="volatile was removed"))
def volatile_reads_false(ad):
    """The flag `volatile`, gone since 0.4, warns when it is read, and is False."""
    x = ad.array([1.0, 1.0])
    equal(warns(lambda: ad.volatile_of(x)), False)


@behaviour(MAY, document("000", warns=UserWarning, says="volatile was removed"))
def setting_volatile_warns(ad):
    """Setting the flag `volatile` warns that it is gone."""
    x = ad.array([1.0, 1.0])
    warns(lambda: ad.set_volatile_(x, True))


@behaviour(MAY, document("000"))
def setting_volatile_changes_nothing(ad):
    """After it was set, the flag `volatile` is False as before."""
    x = ad.array([1.0, 1.0])
    ad.set_volatile_(x, True)
    equal(ad.volatile_of(x), False)


@behaviour(MAY, document("004", until="1.11"))
def the_variable_factory_is_refused(ad):
    """The lower-case factory of variables is refused; in 1.11 it still worked, with a warning."""
    raises(lambda: ad.variable_factory(1.0))


@behaviour(
    SHOULD,
    torch("torch.autograd.backward", warns=Warning, says="grad_variables"),
    document("000", warns=Warning, says="grad_variables"),
    document("004", warns=UserWarning, says="grad_variables", until="1.11"),
)
def grad_variables_is_deprecated(ad):
    """Giving the gradients of the outputs under their old name warns that it is deprecated."""
    x = ad.leaf(3.0)
    warns(lambda: ad.backward_of([x * x], grad_variables=[ad.array(10.0)]))


@behaviour(SHOULD, torch("torch.autograd.backward"), document("000"), document("004"))
def grad_variables_is_still_honoured(ad):
    """Gradients of the outputs given under their old name weight the outputs as under the new one."""
    x = ad.leaf(3.0)
    ad.backward_of([x * x], grad_variables=[ad.array(10.0)])
    close(ad.gradient_of(x), 60.0)


@behaviour(
    SHOULD,
    torch("torch.autograd.backward", raises=RuntimeError, says="both passed to"),
    document("004", raises=RuntimeError, says="both passed to"),
)
def old_and_new_name_together_are_refused(ad):
    """Giving the gradients of the outputs under both names is refused."""
    x = ad.leaf(3.0)
    one = ad.array(1.0)
    raises(lambda: ad.backward_of([x * x], [one], grad_variables=[one]))
