"""Modes: scopes in which operations are recorded, and scopes in which they are not."""

from conformance.behaviour import MUST, behaviour, document, torch
from conformance.expect import close, equal, raises


@behaviour(MUST, torch("torch.no_grad"), document("001"))
def nothing_requires_grad_under_no_grad(ad):
    """A result computed under no_grad does not require grad, although its input does."""
    x = ad.leaf(1.0)
    with ad.no_grad():
        y = x**3
    equal(ad.requires_grad(y), False)


@behaviour(MUST, torch("torch.no_grad"), document("001"))
def an_unrecorded_term_adds_no_gradient(ad):
    """A term computed under no_grad adds nothing: x^2 + x^3 with the cube unrecorded has the gradient 2, not 5."""
    x = ad.leaf(1.0)
    square = x**2
    with ad.no_grad():
        cube = x**3
    ad.backward(square + cube)
    close(ad.gradient_of(x), 2.0)


@behaviour(
    MUST,
    torch("torch.no_grad", raises=RuntimeError, says="does not require grad"),
    document("001"),
)
def backward_from_an_unrecorded_result_is_refused(ad):
    """Backward is refused from a result that was computed under no_grad."""
    x = ad.leaf(1.0)
    with ad.no_grad():
        y = x**3
    raises(lambda: ad.backward(y))


@behaviour(MUST, torch("torch.no_grad"))
def a_leaf_made_under_no_grad_requires_grad(ad):
    """A leaf made under no_grad requires grad as it was asked to: the mode is about operations only."""
    with ad.no_grad():
        x = ad.leaf(1.0)
    equal(ad.requires_grad(x), True)


@behaviour(MUST, torch("torch.no_grad"), document("004"))
def recording_resumes_after_no_grad(ad):
    """After the scope of no_grad operations are recorded as before."""
    x = ad.leaf(3.0)
    with ad.no_grad():
        _ = x * x
    equal(ad.requires_grad(x * x), True)


@behaviour(MUST, torch("torch.enable_grad"), document("004"))
def enable_grad_overrides_no_grad(ad):
    """Under enable_grad operations are recorded, even within no_grad."""
    x = ad.leaf(3.0)
    with ad.no_grad(), ad.enable_grad():
        y = x * x
    equal(ad.requires_grad(y), True)


@behaviour(
    MUST,
    torch("torch.autograd.grad_mode.set_grad_enabled"),
    document("004"),
    cases={"on": (True,), "off": (False,)},
)
def set_grad_enabled_follows_its_flag(ad, flag):
    """Under set_grad_enabled operations are recorded if its flag says so."""
    x = ad.leaf(3.0)
    with ad.set_grad_enabled(flag):
        y = x * x
    equal(ad.requires_grad(y), flag)


@behaviour(MUST, torch("torch.autograd.grad_mode.inference_mode"), document("004"))
def nothing_requires_grad_in_inference_mode(ad):
    """A result computed in inference mode does not require grad."""
    x = ad.leaf(3.0)
    with ad.inference_mode():
        y = x * x
    equal(ad.requires_grad(y), False)


@behaviour(
    MUST,
    torch("notes/autograd", "Inference Mode", raises=RuntimeError, says="inference tensor"),
    document("004"),
)
def an_inference_result_is_barred_from_the_graph(ad):
    """An array made in inference mode may not be saved for a backward later on."""
    x = ad.leaf(3.0)
    with ad.inference_mode():
        constant = ad.array(2.0)
    raises(lambda: x * constant)


@behaviour(MUST, torch("notes/autograd", "Inference Mode", raises=RuntimeError, says="inference tensor"))
def what_inference_mode_computes_is_barred_too(ad):
    """The result of an operation in inference mode may not be saved for a backward later on."""
    x, y = ad.leaf(3.0), ad.array(2.0)
    with ad.inference_mode():
        constant = y * y
    raises(lambda: x * constant)


@behaviour(MUST, torch("notes/autograd", "Default Mode (Grad Mode)"))
def recording_is_on_by_default(ad):
    """Before anybody switches a mode, operations are recorded and inference mode is off."""
    equal((ad.is_recording(), ad.is_inference_mode()), (True, False))


@behaviour(MUST, torch("notes/autograd", "No-grad Mode"))
def an_unrecorded_result_is_a_constant_later(ad):
    """What was computed under no_grad may be a factor afterwards, as a constant: 4 times x has the gradient 4."""
    x = ad.leaf(2.0)
    with ad.no_grad():
        constant = 2 * x
    ad.backward(constant * x)
    close(ad.gradient_of(x), 4.0)


@behaviour(
    MUST,
    torch("torch.no_grad"),
    cases={
        "parameter": (lambda ad: ad.parameter(ad.array([1.0])),),
        "layer": (lambda ad: ad.attribute_of(ad.linear([[1.0]]), "weight"),),
    },
)
def parameters_made_under_no_grad_require_grad(ad, make):
    """A parameter made under no_grad requires grad, also where a layer makes it for itself."""
    with ad.no_grad():
        weight = make(ad)
    equal(ad.requires_grad(weight), True)


@behaviour(MUST, torch("torch.no_grad"))
def nothing_is_saved_under_no_grad(ad):
    """Under no_grad an operation saves nothing for the backward pass: of two exponentials only the other does."""
    x, seen = ad.leaf(3.0), []
    with ad.saved_tensors_hooks(lambda saved: seen.append(1), lambda packed: packed):
        with ad.no_grad():
            _ = ad.np.exp(x)
        before = len(seen)
        _ = ad.np.exp(x)
    equal((before, len(seen)), (0, 1))


@behaviour(MUST, torch("torch.no_grad"))
def no_grad_spares_forward_mode(ad):
    """Tangents are computed under no_grad as well: three times a dual number of tangent 5 has the tangent 15."""
    with ad.dual_level(), ad.no_grad():
        y = 3 * ad.make_dual(ad.array(2.0), ad.array(5.0))
        tangent = ad.tangent_of(y)
    close(tangent, 15.0)


@behaviour(MUST, torch("notes/autograd", "No-grad Mode"))
def no_grad_changes_no_value(ad):
    """Whether it is recorded or not, x^2 + 1 at 3 is 10."""
    x = ad.leaf(3.0)
    with ad.no_grad():
        y = x**2 + 1
    close((y, x**2 + 1), (10.0, 10.0))


@behaviour(MUST, torch("torch.autograd.grad_mode.set_grad_enabled"))
def the_switch_works_as_a_function(ad):
    """Called without a scope, set_grad_enabled switches recording off, or on, from there onwards."""
    x, seen = ad.leaf(3.0), []
    with ad.enable_grad():
        ad.set_grad_enabled(False)
        seen.append(ad.requires_grad(2 * x))
        ad.set_grad_enabled(True)
        seen.append(ad.requires_grad(2 * x))
    equal(seen, [False, True])


@behaviour(MUST, torch("torch.autograd.grad_mode.set_grad_enabled"))
def the_switch_restores_the_mode(ad):
    """A scope of set_grad_enabled ends with the mode that it began with, whether that was on or off."""
    with ad.set_grad_enabled(False):
        with ad.set_grad_enabled(True):
            pass
        within = ad.is_recording()
    equal((within, ad.is_recording()), (False, True))


@behaviour(MUST, torch("notes/autograd", "Evaluation Mode (nn.Module.eval())"))
def evaluating_a_module_still_records(ad):
    """A module in evaluation mode is recorded all the same: its weight gets the gradient 5."""
    layer = ad.eval_(ad.linear([[2.0]]))
    ad.backward(layer(ad.array([5.0]))[0])
    equal(ad.is_training(layer), False)
    close(ad.gradient_of(ad.attribute_of(layer, "weight")), [[5.0]])
