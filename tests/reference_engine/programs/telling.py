"""What the programs in this folder share: telling, in plain lines, what happened.

They print kinds of exceptions and numbers, never the wording of messages, which each engine may choose.
"""

import gc
import warnings

import torch

# Some of PyTorch's warnings come once per process; here every program is to see them.
if hasattr(torch, "set_warn_always"):
    torch.set_warn_always(True)


def program(function):
    """Run a function as a program of its own, under a headline; an exception that gets out of it is told."""
    print(f"-- {function.__name__}")
    try:
        function()
    except Exception as error:
        print("ended by", type(error).__name__)
    torch.set_grad_enabled(True)
    return function


def attempt(what, action):
    """Tell whether an action is accepted, or with which kind of exception it is refused."""
    try:
        action()
    except Exception as error:
        print(f"{what}: {type(error).__name__}")
    else:
        print(f"{what}: accepted")


def warned(what, action):
    """Tell which kinds of warnings an action gives, and return its result."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = action()
    print(f"{what} warns: {[w.category.__name__ for w in caught]}")
    return result


def values(tensor):
    """The numbers of a tensor, rounded to four digits so that no engine's last digit matters."""
    if tensor is None:
        return None
    return _rounded(tensor.tolist())


def _rounded(value):
    if isinstance(value, list):
        return [_rounded(v) for v in value]
    if isinstance(value, complex):
        return complex(_rounded(value.real), _rounded(value.imag))
    # Adding zero turns -0.0 into 0.0, whose sign nobody promises.
    return round(value, 4) + 0.0 if isinstance(value, float) else value


class without_collector:
    """A block in which only reference counts free memory."""

    def __enter__(self):
        gc.collect()
        gc.disable()

    def __exit__(self, *error):
        gc.enable()
