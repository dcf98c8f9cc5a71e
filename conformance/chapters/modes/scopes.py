"""Modes as scopes: how they nest, how they end, and what they decorate."""

from conformance.behaviour import MUST, behaviour, torch
from conformance.expect import equal, raises


def _fail_under_no_grad(ad):
    with ad.no_grad():
        ad.backward(ad.array(1.0))


@behaviour(MUST, torch("torch.enable_grad"))
def modes_nest(ad):
    """The innermost scope decides, and each scope that ends brings back what it found: off, on, off, on."""
    seen = []
    with ad.no_grad():
        seen.append(ad.is_recording())
        with ad.enable_grad():
            seen.append(ad.is_recording())
        seen.append(ad.is_recording())
    equal([*seen, ad.is_recording()], [False, True, False, True])


@behaviour(MUST, torch("torch.no_grad"))
def an_inner_no_grad_does_not_end_the_outer(ad):
    """After a scope of no_grad within another, operations are not recorded: the outer one still stands."""
    x = ad.leaf(3.0)
    with ad.no_grad():
        with ad.no_grad():
            _ = x * x
        y = x * x
    equal(ad.requires_grad(y), False)


@behaviour(MUST, torch("torch.autograd.grad_mode.inference_mode"))
def inference_mode_ends_with_its_scope(ad):
    """After its scope inference mode is off, and operations are recorded."""
    with ad.inference_mode():
        within = ad.is_inference_mode()
    equal((within, ad.is_inference_mode(), ad.is_recording()), (True, False, True))


@behaviour(MUST, torch("torch.no_grad"))
def an_exception_restores_the_mode(ad):
    """A scope of no_grad that an exception leaves is over: operations are recorded again."""
    raises(lambda: _fail_under_no_grad(ad))
    equal(ad.is_recording(), True)


@behaviour(
    MUST,
    torch("torch.no_grad"),
    torch("torch.autograd.grad_mode.inference_mode"),
    cases={
        "no_grad": (lambda ad: ad.no_grad(),),
        "enable_grad": (lambda ad: ad.enable_grad(),),
        "inference_mode": (lambda ad: ad.inference_mode(),),
    },
)
def each_thread_has_its_own_mode(ad, mode):
    """A thread begins with the modes' defaults, in whatever scope it is started."""
    with ad.no_grad(), mode(ad):
        there = ad.in_thread(lambda: (ad.is_recording(), ad.is_inference_mode()))
    equal(there, (True, False))


@behaviour(
    MUST,
    torch("torch.no_grad"),
    torch("torch.enable_grad"),
    torch("torch.autograd.grad_mode.inference_mode"),
    cases={
        "no_grad": (lambda ad: ad.no_grad(), True, (False, False)),
        "enable_grad": (lambda ad: ad.enable_grad(), False, (True, False)),
        "inference_mode": (lambda ad: ad.inference_mode(), True, (False, True)),
    },
)
def a_mode_works_as_a_decorator(ad, mode, recording, expected):
    """A function that a mode decorates runs in that mode, and its caller continues in its own."""
    decorated = mode(ad)(lambda: (ad.is_recording(), ad.is_inference_mode()))
    with ad.set_grad_enabled(recording):
        within, after = decorated(), ad.is_recording()
    equal((within, after), (expected, recording))


@behaviour(
    MUST,
    torch("torch.no_grad"),
    torch("torch.enable_grad"),
    torch("torch.autograd.grad_mode.inference_mode"),
    cases={
        "no_grad": ("no_grad", True, (False, False)),
        "enable_grad": ("enable_grad", False, (True, False)),
        "inference_mode": ("inference_mode", True, (False, True)),
    },
)
def a_mode_decorates_without_parentheses(ad, mode, recording, expected):
    """A mode can decorate a function without being called first, as `@no_grad` does."""
    decorated = ad.decorated_by(mode, lambda: (ad.is_recording(), ad.is_inference_mode()))
    with ad.set_grad_enabled(recording):
        within, after = decorated(), ad.is_recording()
    equal((within, after), (expected, recording))


def _fail_within(scope):
    with scope:
        raise RuntimeError("over")


@behaviour(
    MUST,
    torch("torch.no_grad"),
    torch("torch.enable_grad"),
    torch("torch.autograd.grad_mode.set_grad_enabled"),
    torch("torch.autograd.grad_mode.inference_mode"),
    cases={
        "enable_grad": (lambda ad: ad.enable_grad(),),
        "set_grad_enabled": (lambda ad: ad.set_grad_enabled(True),),
        "inference_mode": (lambda ad: ad.inference_mode(),),
    },
)
def an_exception_ends_every_scope(ad, scope):
    """Each kind of scope that an exception leaves is over, and what stood outside stands again: here no_grad."""
    with ad.no_grad():
        raises(lambda: _fail_within(scope(ad)))
        equal((ad.is_recording(), ad.is_inference_mode()), (False, False))
