"""Modes: scopes in which operations are recorded, and scopes in which they are not."""

from conformance.behaviour import MUST, behaviour, document, torch
from conformance.expect import close, equal, refuses


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
    refuses(lambda: ad.backward(y))


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
    refuses(lambda: x * constant)
