"""Inference mode: which tensors are inference tensors, and what can be done with them."""

from conformance.behaviour import MUST, behaviour, torch
from conformance.expect import close, equal, raises

DETAILS = "notes/inference_mode"


@behaviour(MUST, torch(DETAILS), aliases=("clone inference tensor",))
def a_clone_of_an_inference_tensor_is_normal(ad):
    """A clone of an inference tensor, made outside inference mode, is a normal tensor and can require grad."""
    with ad.inference_mode():
        constant = ad.array(3.0)
    x = ad.require_grad_(ad.clone(constant))
    ad.backward(x * x)
    equal(ad.is_inference(x), False)
    close(ad.gradient_of(x), 6.0)


@behaviour(
    MUST,
    torch(DETAILS, raises=Exception, says="inference"),
    aliases=("inplace update to inference tensor outside inferencemode",),
)
def an_inplace_write_to_an_inference_tensor_raises_outside(ad):
    """Modifying an inference tensor in-place outside inference mode raises an error."""
    with ad.inference_mode():
        constant = ad.array(2.0)
    raises(lambda: ad.add_(constant, 1.0))


@behaviour(MUST, torch(DETAILS))
def an_inference_tensor_can_be_written_inside(ad):
    """An inference tensor can be modified in-place within inference mode."""
    with ad.inference_mode():
        constant = ad.array(2.0)
        ad.add_(constant, 1.0)
    close(constant, 3.0)


@behaviour(
    MUST,
    torch(DETAILS, raises=Exception, says="inference"),
    aliases=("setting requires_grad=true on inference tensor outside inferencemode",),
)
def setting_requires_grad_on_an_inference_tensor_raises_outside(ad):
    """Setting requires_grad=True on an inference tensor outside inference mode raises an error."""
    with ad.inference_mode():
        constant = ad.array(2.0)
    raises(lambda: ad.require_grad_(constant))


@behaviour(MUST, torch(DETAILS))
def an_inference_tensor_can_require_grad_inside(ad):
    """Within inference mode an inference tensor can be set to require grad; operations on it are not recorded."""
    with ad.inference_mode():
        x = ad.require_grad_(ad.array(2.0))
        flags = (ad.requires_grad(x), ad.requires_grad(x * x))
    equal(flags, (True, False))


@behaviour(MUST, torch(DETAILS), torch("torch.is_inference"))
def a_view_of_a_normal_tensor_is_normal(ad):
    """In inference mode a view of a normal tensor is normal, but a product of normal tensors is an inference tensor."""
    x = ad.array([1.0, 2.0])
    with ad.inference_mode():
        view, result = x[:1], x * x
    equal((ad.is_inference(view), ad.is_inference(result)), (False, True))


@behaviour(MUST, torch(DETAILS), torch("torch.is_inference"))
def a_view_of_an_inference_tensor_is_one(ad):
    """Outside inference mode, a view of an inference tensor is an inference tensor, but a product of it is normal."""
    with ad.inference_mode():
        x = ad.array([1.0, 2.0])
    equal((ad.is_inference(x[:1]), ad.is_inference(x * x)), (True, False))


@behaviour(MUST, torch(DETAILS))
def inference_mode_can_be_switched_off_within(ad):
    """Within inference mode, tensors created under inference_mode(False) are normal; those created after it are not."""
    with ad.inference_mode():
        with ad.inference_mode(False):
            normal = ad.array(2.0)
        constant = ad.array(2.0)
    equal((ad.is_inference(normal), ad.is_inference(constant)), (False, True))


@behaviour(MUST, torch("torch.autograd.grad_mode.inference_mode"), aliases=("no_grad vs inference_mode",))
def inference_mode_disables_forward_mode(ad):
    """Inference mode disables forward-mode AD: an operation in it on a dual tensor computes no tangent."""
    with ad.dual_level():
        x = ad.make_dual(ad.array(2.0), ad.array(5.0))
        with ad.inference_mode():
            y = 3 * x
        tangents = (ad.tangent_of(y), ad.tangent_of(3 * x))
    equal(tangents[0], None)
    close(tangents[1], 15.0)


@behaviour(MUST, torch("torch.autograd.grad_mode.inference_mode"))
def inference_mode_does_not_set_evaluation_mode(ad):
    """Inference mode does not put a module into evaluation mode: it is in training mode until eval() is called."""
    module = ad.module(lambda itself: ad.is_training(itself))
    with ad.inference_mode():
        called = (module(), ad.eval_(module)())
    equal(called, (True, False))


@behaviour(MUST, torch(DETAILS))
def a_normal_tensor_stays_normal_in_inference_mode(ad):
    """Using a leaf in inference mode does not change the leaf: later operations on it are recorded."""
    x = ad.leaf(3.0)
    with ad.inference_mode():
        _ = x * x
    ad.backward(x * x)
    close(ad.gradient_of(x), 6.0)


@behaviour(MUST, torch(DETAILS), torch("tensor_view"))
def a_detached_inference_tensor_is_one(ad):
    """detach() of an inference tensor returns an inference tensor, also outside inference mode."""
    with ad.inference_mode():
        x = ad.array([1.0, 2.0])
    equal(ad.is_inference(ad.detach(x)), True)


@behaviour(
    MUST,
    torch(DETAILS),
    torch("notes/autograd", "Default Mode (Grad Mode)"),
    cases={"enable_grad": (lambda ad: ad.enable_grad(),), "set_grad_enabled": (lambda ad: ad.set_grad_enabled(True),)},
)
def enable_grad_does_not_record_in_inference_mode(ad, scope):
    """In inference mode a product of a leaf does not require grad and has no grad_fn, also within enable_grad or
    set_grad_enabled(True)."""
    x = ad.leaf(3.0)
    with ad.inference_mode(), scope(ad):
        y = x * x
    equal((ad.requires_grad(y), ad.grad_fn_name(y)), (False, None))


@behaviour(
    MUST,
    torch(DETAILS, raises=Exception, says="version counter"),
    aliases=("inference tensors do not track version counter",),
)
def an_inference_tensor_has_no_version(ad):
    """Reading the version counter of an inference tensor raises an error."""
    with ad.inference_mode():
        x = ad.array([1.0, 2.0])
    raises(lambda: ad.version_of(x))


@behaviour(
    MUST,
    torch("notes/autograd", "In-place correctness checks", raises=Exception, says="modified by an inplace operation"),
)
def a_saved_tensor_written_in_inference_mode_raises(ad):
    """backward() raises an error if a normal tensor saved for it was modified in-place in inference mode."""
    x, c = ad.leaf(2.0), ad.array(5.0)
    y = x * c
    with ad.inference_mode():
        ad.add_(c, 1.0)
    raises(lambda: ad.backward(y))
