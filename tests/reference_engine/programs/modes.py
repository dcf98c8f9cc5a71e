"""Modes: recording switched off and on, as blocks, as calls, as decorators, in generators and threads."""

import threading

import torch
from telling import attempt, program, values


def leaf(*numbers):
    return torch.tensor(list(numbers), requires_grad=True)


@program
def blocks_nest_and_restore():
    x = leaf(1.0)
    with torch.no_grad():
        print((x * 2).requires_grad)
        with torch.enable_grad():
            print((x * 2).requires_grad)
            with torch.set_grad_enabled(False):
                print((x * 2).requires_grad)
            print(torch.is_grad_enabled())
        print(torch.is_grad_enabled())
    print(torch.is_grad_enabled())


@program
def an_exception_restores_the_mode():
    for mode in (torch.no_grad, torch.inference_mode, lambda: torch.set_grad_enabled(False)):
        try:
            with mode():
                raise LookupError
        except LookupError:
            print(torch.is_grad_enabled(), torch.is_inference_mode_enabled())


@program
def an_instance_can_be_entered_again():
    quiet = torch.no_grad()
    for _ in range(2):
        with quiet:
            print(torch.is_grad_enabled())
        print(torch.is_grad_enabled())


@program
def an_instance_can_be_entered_within_itself():
    quiet = torch.no_grad()
    with quiet, quiet:
        print(torch.is_grad_enabled())
    print("afterwards", torch.is_grad_enabled())


@program
def decorators():
    @torch.no_grad()
    def with_call(x):
        """Its documentation."""
        return x * 2

    @torch.no_grad
    def without_call(x):
        return x * 2

    @torch.enable_grad()
    def enabled(x):
        return x * 2

    @torch.set_grad_enabled(False)
    def disabled(x):
        return x * 2

    x = leaf(1.0)
    print(with_call(x).requires_grad, without_call(x).requires_grad, disabled(x).requires_grad)
    with torch.no_grad():
        print(enabled(x).requires_grad)
    print(with_call.__name__, with_call.__doc__, torch.is_grad_enabled())


@program
def decorated_functions_recurse():
    @torch.no_grad()
    def count(n):
        return [torch.is_grad_enabled()] + (count(n - 1) if n else [])

    print(count(2), torch.is_grad_enabled())


@program
def a_decorated_method_keeps_its_self():
    class Thing:
        factor = 3

        @torch.no_grad()
        def scaled(self, x, *, by=1):
            return (x * self.factor * by).requires_grad

    print(Thing().scaled(leaf(1.0), by=2))


@program
def generators_keep_the_mode_inside():
    @torch.no_grad()
    def states(n):
        for _ in range(n):
            yield torch.is_grad_enabled()
        return "end"

    for inside in states(2):
        print("inside", inside, "outside", torch.is_grad_enabled())
    with torch.enable_grad():
        print(list(states(2)), torch.is_grad_enabled())


@program
def generators_send_and_throw():
    @torch.no_grad()
    def echo():
        received = None
        while True:
            try:
                received = yield (received, torch.is_grad_enabled())
            except ValueError:
                received = "caught"
            finally:
                print("in the body", torch.is_grad_enabled())

    generator = echo()
    print(next(generator), generator.send(5), generator.throw(ValueError))
    generator.close()
    print(torch.is_grad_enabled())


@program
def a_generator_may_switch_by_itself():
    def switching():
        with torch.no_grad():
            yield torch.is_grad_enabled()
        yield torch.is_grad_enabled()

    generator = switching()
    print(next(generator), torch.is_grad_enabled(), next(generator), torch.is_grad_enabled())


@program
def set_grad_enabled_as_a_call():
    torch.set_grad_enabled(False)
    print(torch.is_grad_enabled())
    torch.set_grad_enabled(True)
    print(torch.is_grad_enabled())


@program
def backward_works_under_no_grad():
    x = leaf(2.0)
    y = (x * x).sum()
    with torch.no_grad():
        y.backward()
        print(values(x.grad), torch.is_grad_enabled())


@program
def what_no_grad_leaves_alone():
    with torch.no_grad():
        made = torch.ones(1, requires_grad=True)
        copied = made.clone()
        parameter = torch.nn.Parameter(torch.ones(1))
        copied.requires_grad_()
    print(made.requires_grad, copied.requires_grad, copied.is_leaf, parameter.requires_grad)
    attempt("backward of a result", lambda: torch.no_grad()(lambda: made * 2)().backward())


@program
def threads_have_modes_of_their_own():
    seen = []

    def look():
        seen.append(torch.is_grad_enabled())
        torch.set_grad_enabled(False)

    with torch.no_grad():
        thread = threading.Thread(target=look)
        thread.start()
        thread.join()
    print(seen, torch.is_grad_enabled())


@program
def the_mode_during_backward():
    class Look(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.clone()

        @staticmethod
        def backward(ctx, g):
            print("recording in backward:", torch.is_grad_enabled())
            return g

    x = leaf(1.0)
    Look.apply(x).sum().backward()
    with torch.no_grad():
        torch.enable_grad()(lambda: Look.apply(x).sum())().backward()
    torch.autograd.grad(Look.apply(x).sum(), x, create_graph=True)


@program
def a_mode_needs_a_sensible_argument():
    attempt("set_grad_enabled without", lambda: torch.set_grad_enabled())
    attempt("no_grad of a number", lambda: torch.no_grad(5))


@program
def an_optimizer_step_by_hand():
    w = leaf(1.0, -1.0)
    for _ in range(3):
        loss = ((w - torch.tensor([3.0, 0.0])) ** 2).sum()
        w.grad = None
        loss.backward()
        with torch.no_grad():
            w -= 0.25 * w.grad
    print(values(w), w.is_leaf, w.requires_grad)
