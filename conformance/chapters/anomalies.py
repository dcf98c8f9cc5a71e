"""Anomaly detection: a NaN that arises in the backward pass, and the debugging modes that turn it into an error."""

from conformance.behaviour import MAY, MUST, behaviour, jax, torch
from conformance.expect import close, equal, raises, warns

DETECT, SET = "torch.autograd.detect_anomaly", "torch.autograd.set_detect_anomaly"
NANS = "jax_debug_nans configuration option and context manager"


@behaviour(
    MAY,
    torch("notes/autograd", "Division by Zero in Autograd"),
    jax("debugging/flags", NANS),
    aliases=("nan gradient",),
)
def a_nan_raises_no_error_by_default(ad):
    """By default a NaN that arises in the backward pass raises no error: the gradient of sqrt(x) * 0 at 0 is NaN."""
    close(ad.grad(lambda x: ad.np.sqrt(x) * 0.0)(ad.array(0.0)), float("nan"))


@behaviour(
    MUST,
    torch("autograd", DETECT, raises=Exception, says="nan values"),
    jax("debugging/flags", NANS, raises=FloatingPointError, says="nan"),
    cases={"alone": ([0.0],), "first": ([0.0, 4.0, 9.0],), "last": ([4.0, 9.0, 0.0],)},
    aliases=("jax_debug_nans", "returned nan values in its 0th output", "detect_anomaly"),
)
def a_nan_raises_under_detection(ad, point):
    """By default, detect_anomaly (debug_nans) raises an error for a NaN that arises in the backward pass, also beside
    numbers."""
    gradient = ad.grad(lambda x: ad.np.sum(ad.np.sqrt(x) * 0.0))
    with ad.detect_anomaly():
        raises(lambda: gradient(ad.array(point)))


@behaviour(
    MAY,
    torch(
        "autograd",
        DETECT,
        warns=UserWarning,
        says="debugging",
        unstated="the page has the advice, and not that a warning gives it",
    ),
)
def detect_anomaly_warns(ad):
    """detect_anomaly() warns that it should be enabled only for debugging."""
    warns(ad.detect_anomaly)


@behaviour(
    MAY,
    torch(
        "autograd",
        DETECT,
        warns=Warning,
        raises=Exception,
        says="Sqrt",
        unstated="the page promises the traceback of the forward operation; only message and warning name the node",
    ),
)
def detection_names_the_operation(ad):
    """Under detect_anomaly the error for a NaN and a warning both name the operation whose backward made it."""
    with ad.detect_anomaly():
        y = ad.np.sqrt(ad.leaf(0.0)) * 0.0
        warns(lambda: raises(lambda: ad.backward(y)))


@behaviour(MUST, torch("autograd", DETECT), jax("debugging/flags", NANS))
def detection_does_not_change_a_gradient_without_nan(ad):
    """detect_anomaly (debug_nans) does not change a gradient without NaN: that of x² at 3 is 6."""
    with ad.detect_anomaly():
        close(ad.grad(lambda x: x * x)(ad.array(3.0)), 6.0)


@behaviour(
    MUST,
    torch("autograd", DETECT, raises=Exception, says="nan values"),
    torch("autograd", SET),
    jax("debugging/flags", NANS, raises=FloatingPointError, says="nan"),
    aliases=("set_detect_anomaly",),
)
def detection_can_be_switched_on_by_a_flag(ad):
    """By default, set_detect_anomaly(True) (debug_nans(True)) makes a NaN in the backward pass raise an error."""
    gradient = ad.grad(lambda x: ad.np.sqrt(x) * 0.0)
    with ad.set_detect_anomaly(True):
        raises(lambda: gradient(ad.array(0.0)))


@behaviour(MUST, torch("autograd", SET), jax("debugging/flags", NANS))
def detection_can_be_switched_off_by_a_flag(ad):
    """set_detect_anomaly(False) (debug_nans(False)) within detect_anomaly disables it: a NaN raises no error."""
    with ad.detect_anomaly(), ad.set_detect_anomaly(False):
        close(ad.grad(lambda x: ad.np.sqrt(x) * 0.0)(ad.array(0.0)), float("nan"))


def _fail_under_detection(ad):
    with ad.detect_anomaly():
        raise RuntimeError("over")


@behaviour(MUST, torch("autograd", DETECT), jax("debugging/flags", NANS))
def an_exception_ends_detection(ad):
    """An exception that leaves a detect_anomaly (debug_nans) block ends it: a NaN raises no error afterwards."""
    raises(lambda: _fail_under_detection(ad))
    close(ad.grad(lambda x: ad.np.sqrt(x) * 0.0)(ad.array(0.0)), float("nan"))


@behaviour(
    MAY,
    torch(
        "autograd",
        DETECT,
        warns=Warning,
        raises=Exception,
        says="Custom",
        unstated="the page promises the traceback of the forward operation; only message and warning name the node",
    ),
    cases={"first": (float("nan"), 3.0), "second": (2.0, float("nan"))},
)
def detection_names_a_custom_function(ad, of_x, of_y):
    """Under detect_anomaly the error and a warning name a custom function whose backward returns NaN for one of two
    inputs."""
    function = ad.custom_function(lambda ctx, x, y: 2 * x + 3 * y, lambda ctx, g: (g * of_x, g * of_y))
    with ad.detect_anomaly():
        y = function(ad.leaf(3.0), ad.leaf(5.0))
        warns(lambda: raises(lambda: ad.backward(y)))


@behaviour(
    MUST,
    torch("autograd", DETECT),
    torch("autograd", SET),
    cases={
        "detect_anomaly": (lambda ad: ad.detect_anomaly(check_nan=False),),
        "set_detect_anomaly": (lambda ad: ad.set_detect_anomaly(True, check_nan=False),),
    },
    aliases=("check_nan=False",),
)
def a_nan_raises_no_error_without_the_check(ad, scope):
    """With check_nan=False, detect_anomaly and set_detect_anomaly raise no error for a NaN in the backward pass."""
    x = ad.leaf([0.0, 4.0])
    with scope(ad):
        ad.backward(ad.np.sum(ad.np.sqrt(x) * 0.0))
    close(ad.gradient_of(x), [float("nan"), 0.0])


@behaviour(MUST, torch("autograd", DETECT, raises=Exception, says="nan values"), torch("autograd", SET))
def detection_can_be_switched_on_by_a_call(ad):
    """set_detect_anomaly(True) can be a plain call: after it, a NaN in the backward pass raises an error by default. As
    a context manager it applies within its block only."""
    x = ad.leaf([4.0, 0.0])
    with ad.set_detect_anomaly(False):
        _ = ad.set_detect_anomaly(True)
        with ad.set_detect_anomaly(False):
            ad.backward(ad.np.sum(ad.np.sqrt(x) * 0.0))
        raises(lambda: ad.backward(ad.np.sum(ad.np.sqrt(x) * 0.0)))
    ad.backward(ad.np.sum(ad.np.sqrt(x) * 0.0))
    close(ad.gradient_of(x), [0.0, float("nan")])


@behaviour(MAY, torch("autograd", DETECT))
def only_a_nan_of_the_backward_pass_raises_under_detection(ad):
    """detect_anomaly raises no error for an infinite gradient, nor for a NaN that is there in the forward pass only."""
    x, y = ad.leaf([0.0, 4.0]), ad.leaf(float("nan"))
    with ad.detect_anomaly():
        ad.backward(ad.np.sum(ad.np.sqrt(x)) + 2 * y)
    close((ad.gradient_of(x), ad.gradient_of(y)), ([float("inf"), 0.25], 2.0))


def _fail_in_backward(ctx, g):
    raise RuntimeError("this backward fails")


def _call_it(ad, x):
    """The warning has the name of this function, in a traceback; the error has it not."""
    return ad.custom_function(lambda ctx, x: 2 * x, _fail_in_backward)(x)


def _error_of_backward(ad, y):
    try:
        ad.backward(y)
    except RuntimeError as error:
        return str(error)
    return "no error"


@behaviour(MAY, torch("autograd", DETECT, warns=Warning, says="_call_it"))
def detection_tells_where_a_failing_function_was_called(ad):
    """Under detect_anomaly an error in the backward of a custom function reaches the caller, and a warning says where
    the function was called."""
    with ad.detect_anomaly():
        y = _call_it(ad, ad.leaf(3.0))
        error = warns(lambda: _error_of_backward(ad, y))
    equal("this backward fails" in error, True)
