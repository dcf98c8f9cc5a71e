"""Grad modes as context managers and decorators: how they nest and how they end."""

from conformance.behaviour import MUST, behaviour, torch
from conformance.expect import equal, raises


@behaviour(MUST, torch("torch.enable_grad"), torch("torch.is_grad_enabled"), aliases=("nested no_grad",))
def modes_nest(ad):
    """enable_grad within no_grad turns recording on, and the end of each block restores the mode before it."""
    seen = []
    with ad.no_grad():
        seen.append(ad.is_recording())
        with ad.enable_grad():
            seen.append(ad.is_recording())
        seen.append(ad.is_recording())
    equal([*seen, ad.is_recording()], [False, True, False, True])


@behaviour(
    MUST,
    torch("torch.no_grad"),
    torch("torch.autograd.grad_mode.set_grad_enabled"),
    torch("torch.autograd.grad_mode.inference_mode"),
    cases={
        "no_grad": (lambda ad: ad.no_grad(), (False, False)),
        "set_grad_enabled": (lambda ad: ad.set_grad_enabled(False), (False, False)),
        "inference_mode": (lambda ad: ad.inference_mode(), (False, True)),
    },
)
def an_inner_no_grad_does_not_end_the_outer(ad, mode, expected):
    """A no_grad, set_grad_enabled(False) or inference_mode block within one of the same kind does not turn recording on
    when it ends."""
    x = ad.leaf(3.0)
    with mode(ad):
        with mode(ad):
            _ = x * x
        within, y = (ad.is_recording(), ad.is_inference_mode()), x * x
    equal((within, ad.requires_grad(y), ad.is_recording()), (expected, False, True))


@behaviour(MUST, torch("torch.autograd.grad_mode.inference_mode"), torch("torch.is_inference_mode_enabled"))
def inference_mode_ends_with_its_scope(ad):
    """After an inference_mode block in grad mode, inference mode is off and operations are recorded again."""
    x = ad.leaf(3.0)
    with ad.inference_mode():
        within = ad.is_inference_mode()
    equal((within, ad.is_inference_mode()), (True, False))
    equal(ad.requires_grad(2 * x), True)


@behaviour(
    MUST,
    torch("torch.no_grad"),
    torch("torch.autograd.grad_mode.inference_mode"),
    cases={
        "no_grad": (lambda ad: ad.no_grad(),),
        "inference_mode": (lambda ad: ad.inference_mode(),),
    },
    aliases=("no_grad in threads",),
)
def each_thread_has_its_own_mode(ad, mode):
    """Grad modes are thread-local: a thread that is started under no_grad or inference mode records operations."""
    with mode(ad):
        here, there = ad.is_recording(), ad.in_thread(lambda: (ad.is_recording(), ad.is_inference_mode()))
    equal((here, there), (False, (True, False)))


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
    aliases=("no_grad decorator",),
)
def a_mode_works_as_a_decorator(ad, mode, recording, expected):
    """A function decorated with no_grad(), enable_grad() or inference_mode() runs in that mode; its caller does not."""
    decorated = mode(ad)(lambda: (ad.is_recording(), ad.is_inference_mode()))
    with ad.set_grad_enabled(recording):
        within, after, again = decorated(), ad.is_recording(), decorated()
    equal((within, after, again), (expected, recording, expected))


@behaviour(MUST, torch("torch.autograd.grad_mode.inference_mode"))
def a_mode_decorates_without_parentheses(ad):
    """`@inference_mode` without parentheses decorates a function, which then runs in inference mode."""
    decorated = ad.decorated_by("inference_mode", lambda: (ad.is_recording(), ad.is_inference_mode()))
    within, after = decorated(), (ad.is_recording(), ad.is_inference_mode())
    equal((within, after), ((False, True), (True, False)))


@behaviour(
    MUST,
    torch("torch.no_grad"),
    torch("torch.enable_grad"),
    cases={"no_grad": ("no_grad", True), "enable_grad": ("enable_grad", False)},
)
def a_grad_mode_decorates_without_parentheses(ad, mode, recording):
    """`@no_grad` and `@enable_grad` without parentheses decorate a function, which then runs in that mode."""
    decorated = ad.decorated_by(mode, lambda: ad.is_recording())
    with ad.set_grad_enabled(recording):
        within, after = decorated(), ad.is_recording()
    equal((within, after), (not recording, recording))


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
        "no_grad": (lambda ad: ad.no_grad(), True),
        "enable_grad": (lambda ad: ad.enable_grad(), False),
        "set_grad_enabled": (lambda ad: ad.set_grad_enabled(True), False),
        "inference_mode": (lambda ad: ad.inference_mode(), True),
    },
)
def an_exception_restores_the_mode_of_every_scope(ad, scope, outside):
    """An exception that leaves a no_grad, enable_grad, set_grad_enabled or inference_mode block restores the mode."""
    with ad.set_grad_enabled(outside):
        raises(lambda: _fail_within(scope(ad)))
        equal((ad.is_recording(), ad.is_inference_mode()), (outside, False))


@behaviour(
    MUST,
    torch("torch.autograd.grad_mode.set_grad_enabled"),
    cases={"off": (True, False), "on": (False, True)},
)
def a_mode_set_in_a_thread_stays_there(ad, here, there):
    """set_grad_enabled, called as a function in another thread, sets the mode there and does not change the mode of
    this one."""
    with ad.set_grad_enabled(here):
        inside = ad.in_thread(lambda: (ad.set_grad_enabled(there), ad.is_recording())[1])
        after = ad.is_recording()
    equal((inside, after), (there, here))
