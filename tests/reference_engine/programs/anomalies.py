"""Anomaly detection: a gradient that is not a number is refused, and the forward line is named."""

import warnings

import torch
from telling import attempt, program, values, warned
from torch.autograd import detect_anomaly, set_detect_anomaly


class NotANumber(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, fail=False):
        ctx.fail = fail
        return x.clone()

    @staticmethod
    def backward(ctx, g):
        if ctx.fail:
            raise LookupError("in backward")
        return g * float("nan"), None


def quietly(action):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return action()


@program
def a_gradient_that_is_not_a_number():
    x = torch.ones(1, requires_grad=True)
    NotANumber.apply(x).sum().backward()
    print("without detection", values(x.grad) != values(x.grad) or "nan")

    def detected():
        with detect_anomaly():
            NotANumber.apply(x).sum().backward()

    attempt("with detection", lambda: quietly(detected))
    print(torch.is_anomaly_enabled())


@program
def the_check_can_be_left_out():
    x = torch.ones(1, requires_grad=True)

    def unchecked():
        with detect_anomaly(check_nan=False):
            NotANumber.apply(x).sum().backward()

    attempt("unchecked", lambda: quietly(unchecked))


@program
def the_forward_line_is_named():
    x = torch.ones(1, requires_grad=True)

    def the_culprit(value):
        return NotANumber.apply(value)

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            with detect_anomaly():
                the_culprit(x).sum().backward()
        except RuntimeError as error:
            print("NotANumberBackward" in str(error), "nan" in str(error))
    text = str(caught[-1].message)
    print("NotANumberBackward" in text, "in the_culprit" in text, "anomalies.py" in text)


@program
def the_line_is_named_for_exceptions_too():
    x = torch.ones(1, requires_grad=True)

    def the_culprit(value):
        return NotANumber.apply(value, True)

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            with detect_anomaly():
                the_culprit(x).sum().backward()
        except LookupError as error:
            print(error)
    print(any("in the_culprit" in str(w.message) for w in caught))


@program
def a_changed_value_is_located():
    x = torch.ones(1, requires_grad=True)

    def the_saver(value):
        return value * value

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with detect_anomaly():
            y = x * 1
            z = the_saver(y)
            y.add_(1)
            attempt("backward", z.sum().backward)
    print(any("in the_saver" in str(w.message) for w in caught))


@program
def entering_warns_that_it_is_slow():
    def enter():
        with detect_anomaly():
            return torch.is_anomaly_enabled()

    print(warned("entering", enter), torch.is_anomaly_enabled())


@program
def switching_by_call_and_by_block():
    set_detect_anomaly(True)
    print(torch.is_anomaly_enabled())
    with set_detect_anomaly(False):
        print(torch.is_anomaly_enabled())
    print(torch.is_anomaly_enabled())
    set_detect_anomaly(False)
    print(torch.is_anomaly_enabled(), torch.is_anomaly_check_nan_enabled())


@program
def operations_that_divide_by_zero():
    def root():
        x = torch.zeros(2, requires_grad=True)
        with set_detect_anomaly(True):
            (x.sqrt() * 0).sum().backward()

    attempt("sqrt at zero times zero", lambda: quietly(root))
    x = torch.zeros(1, requires_grad=True)
    with set_detect_anomaly(True):
        attempt("infinity is no anomaly", lambda: quietly(lambda: x.sqrt().sum().backward()))
    print(values(x.grad))


@program
def the_parents_line_is_named_in_second_order():
    x = torch.ones(1, requires_grad=True)

    class Inner(torch.autograd.Function):
        @staticmethod
        def forward(ctx, value):
            return value.clone()

        @staticmethod
        def backward(ctx, g):
            return NotANumber.apply(g)

    def the_culprit(value):
        return Inner.apply(value)

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with set_detect_anomaly(True):
            try:
                y = the_culprit(x * x)
                (first,) = torch.autograd.grad(y.sum(), x, create_graph=True)
                first.sum().backward()
            except RuntimeError as error:
                print("NotANumberBackward" in str(error))
    text = "".join(str(w.message) for w in caught)
    print("in the_culprit" in text, "in backward" in text)
