"""Legacy names: Variable, volatile and grad_variables, deprecated or removed since PyTorch 0.4."""

from conformance.behaviour import MAY, MUST, behaviour, document, torch
from conformance.expect import close, equal, raises, warns

VARIABLE = "Variable (deprecated)"


@behaviour(MUST, torch("autograd", VARIABLE), document("000"), aliases=("torch.autograd.variable",))
def a_variable_is_a_tensor(ad):
    """Variable(tensor), of the deprecated Variable API, still works, and returns a Tensor."""
    x = ad.variable(ad.array([1.0, 2.0]))
    equal(ad.is_plain_array(x), True)
    close(x, [1.0, 2.0])


@behaviour(MUST, torch("autograd", VARIABLE), torch("notes/autograd", "Setting requires_grad"))
def a_variable_does_not_require_grad(ad):
    """Variable(tensor) does not require grad by default."""
    equal(ad.requires_grad(ad.variable(ad.array([1.0, 1.0]))), False)


@behaviour(MUST, torch("autograd", VARIABLE))
def a_variable_can_be_made_with_requires_grad(ad):
    """Variable(tensor, requires_grad=True), of the deprecated Variable API, still works: backward() populates the .grad
    of the tensor that it returns."""
    x = ad.variable(ad.array([1.0, 2.0]), requires_grad=True)
    ad.backward(ad.np.sum(x * x))
    equal((ad.is_plain_array(x), ad.requires_grad(x)), (True, True))
    close(ad.gradient_of(x), [2.0, 4.0])


@behaviour(MAY, document("000", warns=UserWarning, says="volatile was removed"), aliases=("volatile was removed",))
def volatile_reads_false(ad):
    """Reading the flag `volatile`, removed in PyTorch 0.4, warns and gives False."""
    x = ad.array([1.0, 1.0])
    equal(warns(lambda: ad.volatile_of(x)), False)


@behaviour(MAY, document("000", warns=UserWarning, says="volatile was removed"))
def setting_volatile_warns(ad):
    """Setting the flag `volatile`, removed in PyTorch 0.4, warns that it was removed."""
    x = ad.array([1.0, 1.0])
    warns(lambda: ad.set_volatile_(x, True))


@behaviour(MAY, document("000"))
def setting_volatile_changes_nothing(ad):
    """The flag `volatile`, removed in PyTorch 0.4, is False also after it was set to True."""
    x = ad.array([1.0, 1.0])
    ad.set_volatile_(x, True)
    equal(ad.volatile_of(x), False)


@behaviour(MAY, document("004"))
def the_variable_factory_raises(ad):
    """torch.autograd.variable(...), in lower case, raises an error; in PyTorch 1.11 it only warned that it is
    deprecated."""
    raises(lambda: ad.variable_factory(1.0))


@behaviour(
    MAY,
    document("000", warns=Warning, says="grad_variables"),
    document("004", warns=UserWarning, says="grad_variables", until="1.11"),
    aliases=("grad_variables",),
)
def grad_variables_is_deprecated(ad):
    """backward() with `grad_variables`, the old name of `grad_tensors`, warns that it is deprecated."""
    x = ad.leaf(3.0)
    warns(lambda: ad.backward_of([x * x], grad_variables=[ad.array(10.0)]))


@behaviour(MAY, document("000"), document("004"))
def grad_variables_are_the_cotangents_of_the_outputs(ad):
    """backward() takes `grad_variables`, the old name of `grad_tensors`, as the cotangents of the outputs."""
    x = ad.leaf(3.0)
    ad.backward_of([x * x], grad_variables=[ad.array(10.0)])
    close(ad.gradient_of(x), 60.0)


@behaviour(MAY, document("004", raises=RuntimeError, says="both passed to"))
def grad_tensors_and_grad_variables_together_raise(ad):
    """backward() raises an error if both `grad_tensors` and `grad_variables`, its old name, are given."""
    x = ad.leaf(3.0)
    one = ad.array(1.0)
    raises(lambda: ad.backward_of([x * x], [one], grad_variables=[one]))
