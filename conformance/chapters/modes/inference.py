"""Inference mode: arrays that are made outside autograd for good, and what may still be done with them."""

from conformance.behaviour import MUST, behaviour, torch
from conformance.expect import close, equal, raises

DETAILS = "notes/inference_mode"


@behaviour(MUST, torch(DETAILS, "Inference tensors"))
def a_clone_of_an_inference_result_is_normal(ad):
    """A clone made after the mode is a normal array: it may require grad, and be a factor of what is recorded."""
    with ad.inference_mode():
        constant = ad.array(3.0)
    x = ad.require_grad_(ad.clone(constant))
    ad.backward(x * x)
    equal(ad.is_inference(x), False)
    close(ad.gradient_of(x), 6.0)


@behaviour(
    MUST,
    torch(DETAILS, "Inference tensors", raises=RuntimeError, says="inference tensor"),
)
def an_inference_result_cannot_be_changed_outside(ad):
    """After the mode has ended, writing in place into an array made in it is refused."""
    with ad.inference_mode():
        constant = ad.array(2.0)
    raises(lambda: ad.add_(constant, 1.0))


@behaviour(MUST, torch(DETAILS, "Inference tensors"))
def an_inference_result_can_be_changed_inside(ad):
    """Within the mode an array made in it can be written in place: 2 + 1 is 3."""
    with ad.inference_mode():
        constant = ad.array(2.0)
        ad.add_(constant, 1.0)
    close(constant, 3.0)


@behaviour(
    MUST,
    torch(DETAILS, "Inference tensors", raises=RuntimeError, says="inference tensor"),
)
def an_inference_result_cannot_require_grad_outside(ad):
    """After the mode has ended, an array made in it cannot be asked to require grad."""
    with ad.inference_mode():
        constant = ad.array(2.0)
    raises(lambda: ad.require_grad_(constant))


@behaviour(MUST, torch(DETAILS, "Inference tensors"))
def an_inference_result_may_require_grad_inside(ad):
    """Within the mode an array made in it can be asked to require grad; nothing is recorded all the same."""
    with ad.inference_mode():
        x = ad.require_grad_(ad.array(2.0))
        flags = (ad.requires_grad(x), ad.requires_grad(x * x))
    equal(flags, (True, False))


@behaviour(MUST, torch(DETAILS, "Inference tensors"))
def a_view_of_a_normal_array_is_normal(ad):
    """A view taken in inference mode of an array from outside is a normal array, as its base is."""
    x = ad.array([1.0, 2.0])
    with ad.inference_mode():
        view, result = x[:1], x * x
    equal((ad.is_inference(view), ad.is_inference(result)), (False, True))


@behaviour(MUST, torch(DETAILS, "Inference tensors"))
def a_view_of_an_inference_array_is_one(ad):
    """A view of an inference array is one too, even if taken after the mode has ended; a result made then is not."""
    with ad.inference_mode():
        x = ad.array([1.0, 2.0])
    equal((ad.is_inference(x[:1]), ad.is_inference(x * x)), (True, False))


@behaviour(MUST, torch(DETAILS))
def inference_mode_can_be_switched_off_within(ad):
    """Within inference mode a scope that switches it off makes normal arrays, and the mode is back at its end."""
    with ad.inference_mode():
        with ad.inference_mode(False):
            normal = ad.array(2.0)
        constant = ad.array(2.0)
    equal((ad.is_inference(normal), ad.is_inference(constant)), (False, True))


@behaviour(MUST, torch("torch.autograd.grad_mode.inference_mode"))
def inference_mode_stops_forward_mode(ad):
    """In inference mode the result of an operation on a dual number has no tangent."""
    with ad.dual_level():
        x = ad.make_dual(ad.array(2.0), ad.array(5.0))
        with ad.inference_mode():
            y = 3 * x
        tangents = (ad.tangent_of(y), ad.tangent_of(3 * x))
    equal(tangents[0], None)
    close(tangents[1], 15.0)


@behaviour(MUST, torch("torch.autograd.grad_mode.inference_mode"))
def inference_mode_leaves_modules_training(ad):
    """A module called in inference mode is still in training, unless it was switched to evaluation."""
    module = ad.module(lambda itself: ad.is_training(itself))
    with ad.inference_mode():
        called = (module(), ad.eval_(module)())
    equal(called, (True, False))


@behaviour(MUST, torch(DETAILS, "Normal tensors"))
def a_normal_array_stays_normal_in_inference_mode(ad):
    """A leaf that was used in inference mode is recorded afterwards as ever: the square of 3 has the gradient 6."""
    x = ad.leaf(3.0)
    with ad.inference_mode():
        _ = x * x
    ad.backward(x * x)
    close(ad.gradient_of(x), 6.0)


@behaviour(MUST, torch(DETAILS, "Inference tensors"))
def a_detached_inference_array_is_one(ad):
    """What is detached from an inference array, a view of it, is an inference array too."""
    with ad.inference_mode():
        x = ad.array([1.0, 2.0])
    equal(ad.is_inference(ad.detach(x)), True)
