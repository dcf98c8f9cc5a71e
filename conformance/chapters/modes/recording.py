"""Grad modes: no_grad, enable_grad, set_grad_enabled and inference mode, and what is recorded in them."""

from conformance.behaviour import MUST, SHOULD, behaviour, document, torch
from conformance.expect import close, equal, raises


@behaviour(MUST, torch("torch.no_grad"), document("001"), aliases=("with torch.no_grad()",))
def nothing_requires_grad_under_no_grad(ad):
    """What is computed under no_grad has requires_grad=False, although its input has requires_grad=True."""
    x = ad.leaf(1.0)
    with ad.no_grad():
        y = x**3
    equal(ad.requires_grad(y), False)


@behaviour(MUST, torch("torch.no_grad"))
def a_view_made_under_no_grad_does_not_require_grad(ad):
    """A view made under no_grad has requires_grad=False, although its base has requires_grad=True."""
    x = ad.leaf([1.0, 2.0])
    with ad.no_grad():
        y = x[:1]
    equal(ad.requires_grad(y), False)


@behaviour(MUST, torch("torch.no_grad"), document("001"))
def a_term_under_no_grad_adds_no_gradient(ad):
    """A term computed under no_grad adds no gradient: that of x² + x³ at 1, with x³ under no_grad, is 2, not 5."""
    x = ad.leaf(1.0)
    square = x**2
    with ad.no_grad():
        cube = x**3
    ad.backward(square + cube)
    close(ad.gradient_of(x), 2.0)


@behaviour(
    SHOULD,
    torch("torch.no_grad", raises=Exception, says="require grad"),
    document("001"),
    aliases=("element 0 of tensors does not require grad and does not have a grad_fn", "loss does not require grad"),
)
def backward_from_a_tensor_computed_under_no_grad_raises(ad):
    """backward() on a tensor that was computed under no_grad raises an error."""
    x = ad.leaf(1.0)
    with ad.no_grad():
        y = x**3
    raises(lambda: ad.backward(y))


@behaviour(MUST, torch("torch.no_grad"))
def a_leaf_made_under_no_grad_requires_grad(ad):
    """A leaf made under no_grad with requires_grad=True requires grad."""
    with ad.no_grad():
        x = ad.leaf(1.0)
    equal(ad.requires_grad(x), True)


@behaviour(MUST, torch("torch.no_grad"), torch("notes/autograd", "No-grad Mode"))
def recording_resumes_after_no_grad(ad):
    """After a no_grad block in grad mode, operations are recorded again."""
    x = ad.leaf(3.0)
    with ad.no_grad():
        _ = x * x
    equal(ad.requires_grad(x * x), True)


@behaviour(MUST, torch("torch.enable_grad"))
def enable_grad_overrides_no_grad(ad):
    """Operations under enable_grad within no_grad are recorded."""
    x = ad.leaf(3.0)
    with ad.no_grad(), ad.enable_grad():
        y = x * x
    equal(ad.requires_grad(y), True)


@behaviour(
    MUST,
    torch("torch.autograd.grad_mode.set_grad_enabled"),
    cases={"on": (True,), "off": (False,)},
)
def set_grad_enabled_follows_its_flag(ad, flag):
    """set_grad_enabled(True) enables recording and set_grad_enabled(False) disables it, also within the other."""
    x = ad.leaf(3.0)
    with ad.set_grad_enabled(not flag), ad.set_grad_enabled(flag):
        y = x * x
    equal(ad.requires_grad(y), flag)


@behaviour(
    MUST,
    torch("torch.autograd.grad_mode.inference_mode"),
    torch("notes/autograd", "Inference Mode"),
)
def nothing_requires_grad_in_inference_mode(ad):
    """In inference mode the product of tensors that require grad has requires_grad=False."""
    x = ad.leaf(3.0)
    with ad.inference_mode():
        y = x * x
    equal(ad.requires_grad(y), False)


@behaviour(
    MUST,
    torch("notes/autograd", "Inference Mode", raises=Exception, says="inference"),
    torch("notes/inference_mode"),
    aliases=("inference tensors cannot be saved for backward", "inference tensor in autograd"),
)
def an_inference_tensor_cannot_be_saved_for_backward(ad):
    """An inference tensor cannot be saved for backward: x * c with c created in inference mode raises an error."""
    x = ad.leaf(3.0)
    with ad.inference_mode():
        constant = ad.array(2.0)
    raises(lambda: x * constant)


@behaviour(
    MUST,
    torch("notes/autograd", "Inference Mode", raises=Exception, says="inference"),
    torch("notes/inference_mode"),
)
def what_inference_mode_computes_cannot_be_saved_for_backward(ad):
    """A product c = y * y computed in inference mode cannot be saved for backward: x * c raises an error."""
    x, y = ad.leaf(3.0), ad.array(2.0)
    with ad.inference_mode():
        constant = y * y
    raises(lambda: x * constant)


@behaviour(MUST, torch("notes/autograd", "Default Mode (Grad Mode)"))
def recording_is_on_by_default(ad):
    """By default recording is on (grad mode) and inference mode is off."""
    equal((ad.is_recording(), ad.is_inference_mode()), (True, False))


@behaviour(MUST, torch("notes/autograd", "No-grad Mode"))
def a_tensor_computed_under_no_grad_is_a_constant_later(ad):
    """A tensor computed under no_grad is a constant afterwards: for such a c = 2x, the gradient of c * x is c."""
    x = ad.leaf(2.0)
    with ad.no_grad():
        constant = 2 * x
    ad.backward(constant * x)
    close(ad.gradient_of(x), 4.0)


@behaviour(
    MUST,
    torch("torch.no_grad"),
    torch("torch.nn.parameter.Parameter"),
    cases={
        "parameter": (lambda ad: ad.parameter(ad.array([1.0])),),
        "layer": (lambda ad: ad.attribute_of(ad.linear([[1.0]]), "weight"),),
    },
)
def parameters_made_under_no_grad_require_grad(ad, make):
    """A Parameter made under no_grad requires grad, and so does the weight of a layer made under no_grad."""
    with ad.no_grad():
        weight = make(ad)
    equal(ad.requires_grad(weight), True)


@behaviour(MUST, torch("notes/autograd", "No-grad Mode"), torch("torch.no_grad"))
def nothing_is_saved_under_no_grad(ad):
    """An operation under no_grad saves no tensor for backward; the same operation in grad mode does."""
    x, seen = ad.leaf(3.0), []
    with ad.saved_tensors_hooks(lambda saved: seen.append(1), lambda packed: packed):
        with ad.no_grad():
            _ = ad.np.exp(x)
        before = len(seen)
        _ = ad.np.exp(x)
    equal((before, len(seen)), (0, 1))


@behaviour(MUST, torch("torch.no_grad"))
def no_grad_does_not_disable_forward_mode(ad):
    """no_grad does not disable forward-mode AD: an operation in it on a dual tensor computes the tangent."""
    with ad.dual_level(), ad.no_grad():
        y = 3 * ad.make_dual(ad.array(2.0), ad.array(5.0))
        tangent = ad.tangent_of(y)
    close(tangent, 15.0)


@behaviour(MUST, torch("notes/autograd", "No-grad Mode"))
def no_grad_changes_no_value(ad):
    """no_grad changes no value: x² + 1 at 3 is 10 with and without it."""
    x = ad.leaf(3.0)
    with ad.no_grad():
        y = x**2 + 1
    close((y, x**2 + 1), (10.0, 10.0))


@behaviour(MUST, torch("torch.autograd.grad_mode.set_grad_enabled"))
def set_grad_enabled_works_as_a_function(ad):
    """set_grad_enabled called as a function, not as a context manager, disables or enables recording from there on."""
    x, seen = ad.leaf(3.0), []
    with ad.enable_grad():
        ad.set_grad_enabled(False)
        seen.append(ad.requires_grad(2 * x))
        ad.set_grad_enabled(True)
        seen.append(ad.requires_grad(2 * x))
    equal(seen, [False, True])


@behaviour(MUST, torch("torch.autograd.grad_mode.set_grad_enabled"))
def set_grad_enabled_restores_the_mode(ad):
    """A set_grad_enabled block restores the mode that was set before it, whether recording was on or off."""
    with ad.set_grad_enabled(False):
        with ad.set_grad_enabled(True):
            pass
        within = ad.is_recording()
    equal((within, ad.is_recording()), (False, True))


@behaviour(
    MUST, torch("notes/autograd", "Evaluation Mode (nn.Module.eval())"), aliases=("no_grad vs eval", "model.eval()")
)
def evaluation_mode_still_records(ad):
    """Evaluation mode does not disable gradients: after eval(), backward() populates the .grad of the parameters."""
    layer = ad.eval_(ad.linear([[2.0]]))
    ad.backward(layer(ad.array([5.0]))[0])
    equal(ad.is_training(layer), False)
    close(ad.gradient_of(ad.attribute_of(layer, "weight")), [[5.0]])


@behaviour(
    MUST,
    torch("torch.Tensor.requires_grad_"),
    torch("torch.Tensor.is_leaf"),
    torch("notes/autograd", "No-grad Mode"),
)
def a_tensor_computed_under_no_grad_can_become_a_leaf(ad):
    """After requires_grad_(), a tensor c that was computed under no_grad is a leaf: the gradient of c² is 2c, and
    backward() does not reach what c was computed from."""
    x = ad.leaf(2.0)
    with ad.no_grad():
        c = 3 * x
    ad.require_grad_(c)
    ad.backward(c * c)
    equal(ad.is_leaf(c), True)
    close((ad.gradient_of(c), ad.gradient_of(x)), (12.0, None))
