"""Anomalies: a NaN that arises in the backward pass, unseen or refused."""

from conformance.behaviour import MUST, SHOULD, behaviour, document, jax, torch
from conformance.expect import close, raises, warns

DEBUGGING = "Debugging and anomaly detection"
NANS = "jax_debug_nans configuration option and context manager"


@behaviour(MUST, torch("notes/autograd", "Division by Zero in Autograd"), jax("debugging/flags", NANS))
def a_nan_passes_unseen_by_default(ad):
    """By default a NaN that arises in the backward pass is returned like any number."""
    close(ad.grad(lambda x: ad.np.sqrt(x) * 0.0)(ad.array(0.0)), float("nan"))


@behaviour(
    MUST,
    torch("autograd", DEBUGGING, raises=RuntimeError, says="returned nan values"),
    jax("debugging/flags", NANS, raises=FloatingPointError, says="nan"),
    document("004"),
)
def a_nan_is_refused_under_detection(ad):
    """While anomalies are detected, a backward pass in which a NaN arises is refused."""
    gradient = ad.grad(lambda x: ad.np.sqrt(x) * 0.0)
    with ad.detect_anomaly():
        raises(lambda: gradient(ad.array(0.0)))


@behaviour(SHOULD, torch("autograd", DEBUGGING, warns=UserWarning, says="debugging"))
def switching_detection_on_warns(ad):
    """Switching on the detection of anomalies warns that it is for debugging."""
    warns(ad.detect_anomaly)


@behaviour(MUST, torch("autograd", DEBUGGING, warns=UserWarning, raises=RuntimeError, says="SqrtBackward0"))
def detection_names_the_operation_twice(ad):
    """The refusal of a NaN names the backward that made it, and a warning shows where the operation was called."""
    with ad.detect_anomaly():
        y = ad.np.sqrt(ad.leaf(0.0)) * 0.0
        warns(lambda: raises(lambda: ad.backward(y)))


@behaviour(MUST, torch("autograd", DEBUGGING), jax("debugging/flags", NANS))
def detection_changes_no_sound_gradient(ad):
    """While anomalies are detected, a gradient without NaN is what it is otherwise."""
    with ad.detect_anomaly():
        close(ad.grad(lambda x: x * x)(ad.array(3.0)), 6.0)


@behaviour(
    MUST,
    torch("autograd", DEBUGGING, raises=RuntimeError, says="returned nan values"),
    jax("debugging/flags", NANS, raises=FloatingPointError, says="nan"),
    document("004"),
)
def detection_can_be_switched_on_by_a_flag(ad):
    """Detection can be switched on by a flag."""
    gradient = ad.grad(lambda x: ad.np.sqrt(x) * 0.0)
    with ad.set_detect_anomaly(True):
        raises(lambda: gradient(ad.array(0.0)))


@behaviour(MUST, torch("autograd", DEBUGGING), jax("debugging/flags", NANS), document("004"))
def detection_can_be_switched_off_by_a_flag(ad):
    """Detection can be switched off by a flag, within a scope that has it on."""
    with ad.detect_anomaly(), ad.set_detect_anomaly(False):
        close(ad.grad(lambda x: ad.np.sqrt(x) * 0.0)(ad.array(0.0)), float("nan"))


def _fail_under_detection(ad):
    with ad.detect_anomaly():
        raise RuntimeError("over")


@behaviour(MUST, torch("autograd", DEBUGGING), jax("debugging/flags", NANS))
def an_exception_ends_detection(ad):
    """A scope of detection that an exception leaves is over: a NaN passes unseen again."""
    raises(lambda: _fail_under_detection(ad))
    close(ad.grad(lambda x: ad.np.sqrt(x) * 0.0)(ad.array(0.0)), float("nan"))


@behaviour(MUST, torch("autograd", DEBUGGING, warns=UserWarning, raises=RuntimeError, says="CustomBackward"))
def detection_finds_the_call_of_a_custom_function(ad):
    """Where a custom function's own backward makes the NaN, it is named, and a warning shows where it was called."""
    function = ad.custom_function(lambda ctx, x: 2 * x, lambda ctx, g: g * float("nan"))
    with ad.detect_anomaly():
        y = function(ad.leaf(3.0))
        warns(lambda: raises(lambda: ad.backward(y)))
