"""Optimizers: how a step, zero_grad and clipping treat parameters and their gradients."""

from conformance.behaviour import MUST, SHOULD, behaviour, torch
from conformance.expect import close, equal, raises

ZERO = "torch.optim.Optimizer.zero_grad"


@behaviour(SHOULD, torch("optim", raises=Exception, says="non-leaf"), aliases=("can't optimize a non-leaf tensor",))
def a_non_leaf_cannot_be_optimized(ad):
    """Constructing an optimizer with a non-leaf tensor among its parameters raises an error."""
    x = ad.leaf(3.0)
    raises(lambda: ad.sgd([x, 2 * x], 0.1))


@behaviour(MUST, torch("torch.optim.SGD"))
def a_step_is_not_recorded(ad):
    """By default, an SGD step sets p to p - lr * grad without recording it: p is still a leaf that requires grad."""
    p = ad.leaf(3.0)
    optimizer = ad.sgd([p], 0.1)
    ad.backward(p * p)
    ad.step_(optimizer)
    close(p, 2.4)
    equal((ad.is_leaf(p), ad.requires_grad(p)), (True, True))


@behaviour(MUST, torch(ZERO), aliases=("grad none vs zero optimizer",))
def a_step_skips_a_parameter_without_gradient(ad):
    """An optimizer step skips a parameter whose `.grad` is None: no weight decay is applied to it."""
    p, without = ad.leaf(3.0), ad.leaf(5.0)
    optimizer = ad.sgd([p, without], 0.1, weight_decay=0.5)
    ad.backward(p * p)
    ad.step_(optimizer)
    close((p, without), (2.25, 5.0))


@behaviour(MUST, torch(ZERO), aliases=("weight decay without gradient",))
def a_step_does_not_skip_a_gradient_of_zero(ad):
    """An optimizer step does not skip a parameter whose gradient is zero: weight decay is applied to it."""
    p = ad.leaf(2.0)
    optimizer = ad.sgd([p], 0.1, weight_decay=0.5)
    ad.backward(0 * p)
    ad.step_(optimizer)
    close(p, 1.9)


@behaviour(MUST, torch(ZERO, since="2.0"), aliases=("zero_grad set_to_none",))
def zero_grad_sets_to_none_by_default(ad):
    """By default, zero_grad() of an optimizer sets `.grad` of its parameters to None; it changes no other leaf's
    `.grad`."""
    p, other = ad.leaf(2.0), ad.leaf(3.0)
    optimizer = ad.sgd([p], 0.1)
    ad.backward(p * other)
    ad.zero_gradients_(optimizer)
    equal(ad.gradient_of(p), None)
    close(ad.gradient_of(other), 2.0)


@behaviour(MUST, torch("torch.optim.SGD"), aliases=("differentiable optimizer, unrolled optimization",))
def a_differentiable_step_is_recorded(ad):
    """With differentiable=True, an SGD step is recorded: p - 0.1 * p² has the derivative 1 - 0.2 p at p."""
    start = ad.leaf([3.0, 4.0])
    p = ad.clone(start)
    ad.set_gradient_(p, start * start)
    optimizer = ad.sgd([p], 0.1, differentiable=True)
    ad.step_(optimizer)
    close(p, [2.1, 2.4])
    close(ad.grad_of(p, start, ad.array([1.0, 5.0])), ([0.4, 1.0],))


@behaviour(
    MUST,
    torch("complex_numbers", "Optimizers"),
    cases={"plain": (0.0, 2.4 + 3.2j), "weight_decay": (0.5, 2.25 + 3.0j)},
    aliases=("optimizer complex parameters",),
)
def a_step_treats_complex_numbers_as_pairs(ad, weight_decay, expected):
    """An SGD step on a complex parameter is the step on its real and imaginary parts as two real numbers: here with the
    gradient 2z of |z|²."""
    z = ad.leaf(3 + 4j)
    optimizer = ad.sgd([z], 0.1, weight_decay=weight_decay)
    ad.backward(ad.np.real(z * ad.np.conj(z)))
    ad.step_(optimizer)
    close(z, expected)


@behaviour(MUST, torch(ZERO))
def zero_grad_of_an_optimizer_can_set_zeros(ad):
    """zero_grad(set_to_none=False) of an optimizer sets `.grad` of its parameters to zeros; it changes no other leaf's
    `.grad`."""
    p, q, other = ad.leaf([2.0, 5.0]), ad.leaf(4.0), ad.leaf(3.0)
    optimizer = ad.sgd([p, q], 0.1)
    ad.backward(ad.np.sum(p) * q * other)
    ad.zero_gradients_(optimizer, set_to_none=False)
    close((ad.gradient_of(p), ad.gradient_of(q), ad.gradient_of(other)), ([0.0, 0.0], 0.0, 28.0))


def _with_gradients(ad, *gradients):
    leaves = [ad.leaf([0.0] * len(gradient)) for gradient in gradients]
    _ = [ad.set_gradient_(x, ad.array(gradient)) for x, gradient in zip(leaves, gradients, strict=True)]
    return leaves


@behaviour(
    MUST,
    torch("torch.nn.utils.clip_grad_norm_"),
    cases={"above": (6.5, [1.5, 2.0], [6.0]), "below": (26.0, [3.0, 4.0], [12.0])},
    aliases=("gradient clipping",),
)
def clip_grad_norm_scales_all_gradients(ad, limit, first, second):
    """clip_grad_norm_() scales all gradients in-place so that their norm, by default the 2-norm as one vector, is at
    most max_norm, and returns the norm that they had: 13 for (3, 4) and (12)."""
    one, other = _with_gradients(ad, [3.0, 4.0], [12.0])
    gradients = (ad.gradient_of(one), ad.gradient_of(other))
    close(ad.clip_gradients_([one, other], limit), 13.0)
    close(gradients, (first, second), within=1e-6, because="PyTorch divides by the norm plus 1e-6")


@behaviour(MUST, torch("torch.nn.utils.clip_grad_norm_", raises=Exception, says="non-finite"))
def clip_grad_norm_can_raise_for_nan(ad):
    """clip_grad_norm_(error_if_nonfinite=True) raises an error if the total norm of the gradients is NaN, here by a NaN
    in one of two."""
    close(ad.clip_gradients_(_with_gradients(ad, [3.0, 4.0], [12.0]), 1.0, error_if_nonfinite=True), 13.0)
    leaves = _with_gradients(ad, [3.0, 4.0], [float("nan")])
    raises(lambda: ad.clip_gradients_(leaves, 1.0, error_if_nonfinite=True))


@behaviour(MUST, torch("torch.nn.utils.clip_grad_value_"))
def clip_grad_value_clips_each_number(ad):
    """clip_grad_value_() clips each number of the gradients in-place to the range from -clip_value to clip_value."""
    one, other = _with_gradients(ad, [3.0, -4.0], [-0.5, 7.0])
    gradients = (ad.gradient_of(one), ad.gradient_of(other))
    ad.clip_gradients_([one, other], 2.0, by="value")
    close(gradients, ([2.0, -2.0], [-0.5, 2.0]))
