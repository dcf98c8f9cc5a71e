"""Checkpoints of both kinds: when the function runs, what it may take and return, and what is refused."""

import torch
from telling import attempt, program, values, warned
from torch.utils.checkpoint import checkpoint, checkpoint_sequential, set_checkpoint_early_stop

KINDS = (True, False)


def leaf(*numbers):
    return torch.tensor(list(numbers), requires_grad=True)


def counted(function):
    def counting(*args, **options):
        counting.calls += 1
        return function(*args, **options)

    counting.calls = 0
    return counting


@program
def the_function_runs_again_in_backward():
    for reentrant in KINDS:
        x = leaf(0.5, 1.0)
        function = counted(lambda v: (v * v).exp())
        y = checkpoint(function, x, use_reentrant=reentrant)
        print("forward", function.calls, y.requires_grad)
        y.sum().backward()
        print("backward", function.calls, values(x.grad))


@program
def the_kind_should_be_said():
    x = leaf(1.0)
    warned("unsaid", lambda: attempt("checkpoint", lambda: checkpoint(torch.exp, x)))
    warned("nothing requires grad", lambda: checkpoint(torch.exp, torch.ones(1), use_reentrant=True))
    warned("the other kind", lambda: checkpoint(torch.exp, torch.ones(1), use_reentrant=False))


@program
def a_reentrant_checkpoint_wants_the_whole_backward():
    for reentrant in KINDS:
        x = leaf(1.0)
        y = checkpoint(lambda v: v * v, x, use_reentrant=reentrant)
        attempt("grad", lambda y=y, x=x: torch.autograd.grad(y.sum(), x))
        y = checkpoint(lambda v: v * v, x, use_reentrant=reentrant)
        attempt("inputs=", lambda y=y, x=x: y.sum().backward(inputs=[x]))


@program
def parameters_inside_the_function():
    for reentrant in KINDS:
        x, w = leaf(2.0), leaf(3.0)
        checkpoint(lambda v, w=w: v * w, x, use_reentrant=reentrant).sum().backward()
        print(values(x.grad), values(w.grad))
        plain = torch.tensor([2.0])
        w.grad = None
        y = checkpoint(lambda v, w=w: v * w, plain, use_reentrant=reentrant)
        print("input without grad", y.requires_grad)
        if y.requires_grad:
            y.sum().backward()
            print(values(w.grad))


@program
def nested_checkpoints():
    for reentrant in KINDS:
        x = leaf(0.5)
        inner = counted(lambda v: v.sin())
        outer = counted(lambda v, inner=inner, r=reentrant: checkpoint(inner, v * 2, use_reentrant=r) * 3)
        checkpoint(outer, x, use_reentrant=reentrant).sum().backward()
        print(outer.calls, inner.calls, values(x.grad))


@program
def several_arguments_and_results():
    def function(a, factor, b, flag=None):
        return a * factor, "text", b * b

    for reentrant in KINDS:
        a, b = leaf(2.0), leaf(3.0)
        first, text, second = checkpoint(function, a, 5, b, None, use_reentrant=reentrant)
        (first + second).sum().backward()
        print(text, values(a.grad), values(b.grad))


@program
def keyword_arguments():
    for reentrant in KINDS:
        x = leaf(2.0)
        attempt(
            "a keyword",
            lambda x=x, r=reentrant: checkpoint(lambda v, by: v * by, x, use_reentrant=r, by=3).sum().backward(),
        )
        print(values(x.grad))


@program
def only_one_of_the_results_is_used():
    for reentrant in KINDS:
        x = leaf(2.0)
        first, _ = checkpoint(lambda v: (v * v, v.exp()), x, use_reentrant=reentrant)
        first.sum().backward()
        print(values(x.grad))


@program
def a_result_that_needs_no_gradient():
    for reentrant in KINDS:
        x = leaf(2.0)
        y = checkpoint(lambda v: v.detach() * 2, x, use_reentrant=reentrant)
        print(y.requires_grad)
        attempt("backward", y.sum().backward)


@program
def random_numbers_come_out_the_same():
    for reentrant in KINDS:
        for preserve in (True, False):
            torch.manual_seed(0)
            x = torch.ones(8, requires_grad=True)
            seen = []

            def function(v, seen=seen):
                noise = torch.rand(8)
                seen.append(noise)
                return v * noise

            y = checkpoint(function, x, use_reentrant=reentrant, preserve_rng_state=preserve)
            y.sum().backward()
            same = torch.equal(seen[0], seen[1])
            print(preserve, same, torch.equal(x.grad, seen[1]), round(torch.rand(1).item(), 4))


@program
def a_function_that_does_something_else_the_second_time():
    def unsteady(extra):
        def function(v):
            function.calls += 1
            result = v.sin() * v
            return result if function.calls == 1 else extra(result)

        function.calls = 0
        return function

    def run(extra, **options):
        x = leaf(1.0, 2.0)
        checkpoint(unsteady(extra), x, use_reentrant=False, **options).sum().backward()

    class Less:
        def __init__(self):
            self.calls = 0

        def __call__(self, v):
            self.calls += 1
            return v.sin() * v if self.calls == 1 else v * 2

    def no_early_stop():
        with set_checkpoint_early_stop(False):
            run(lambda r: r.exp().exp())

    attempt("the same", lambda: run(lambda r: r))
    attempt("more", lambda: run(lambda r: r.exp().exp()))
    attempt("more, stopping early forbidden", no_early_stop)
    attempt("fewer", lambda: checkpoint(Less(), leaf(1.0), use_reentrant=False).sum().backward())
    attempt("fewer, unchecked", lambda: checkpoint(Less(), leaf(1.0), use_reentrant=False, determinism_check="none"))


@program
def shapes_are_compared():
    class Other:
        def __init__(self):
            self.calls = 0

        def __call__(self, v):
            self.calls += 1
            return (v.expand(2) if self.calls == 1 else v.expand(3)).sin().sum()

    attempt("default", lambda: checkpoint(Other(), leaf(1.0), use_reentrant=False).backward())
    attempt("none", lambda: checkpoint(Other(), leaf(1.0), use_reentrant=False, determinism_check="none").backward())
    attempt("unknown", lambda: checkpoint(Other(), leaf(1.0), use_reentrant=False, determinism_check="some"))


@program
def running_again_stops_early():
    for early in (True, False):
        reached = []

        def function(v, reached=reached):
            y = v.exp()
            reached.append("computed")
            result = y.sum()
            reached.append("end")
            return result

        x = leaf(1.0)
        with set_checkpoint_early_stop(early):
            y = checkpoint(function, x, use_reentrant=False)
            y.backward()
        print(early, reached, values(x.grad))


@program
def contexts_for_both_runs():
    class Telling:
        def __init__(self, name):
            self.name = name

        def __enter__(self):
            print("enter", self.name)

        def __exit__(self, *error):
            print("exit", self.name)

    x = leaf(1.0)
    options = {"context_fn": lambda: (Telling("forward"), Telling("again"))}
    y = checkpoint(lambda v: v.exp(), x, use_reentrant=False, **options)
    y.sum().backward()
    attempt("for the reentrant kind", lambda: checkpoint(torch.exp, x, use_reentrant=True, **options))


@program
def the_graph_may_be_retained():
    for reentrant in KINDS:
        x = leaf(2.0)
        function = counted(lambda v: v * v)
        y = checkpoint(function, x, use_reentrant=reentrant).sum()
        y.backward(retain_graph=True)
        attempt("second", y.backward)
        print(function.calls, values(x.grad))
        attempt("third", y.backward)


@program
def second_order_through_a_checkpoint():
    x = leaf(2.0)
    y = checkpoint(lambda v: v**3, x, use_reentrant=False).sum()
    (first,) = torch.autograd.grad(y, x, create_graph=True)
    (second,) = torch.autograd.grad(first.sum(), x)
    print(values(first), values(second))


@program
def a_sequence_in_segments():
    for reentrant in KINDS:
        calls = []
        steps = [lambda v, n=n, calls=calls: (calls.append(n), v * n)[1] for n in (2, 3, 4)]
        x = leaf(1.0)
        checkpoint_sequential(steps, 2, x, use_reentrant=reentrant).sum().backward()
        print(calls, values(x.grad))


@program
def inputs_are_not_kept_with_history():
    x = leaf(2.0)
    y = x * 3
    z = checkpoint(lambda v: v * v, y, use_reentrant=False)
    y.add_(1)
    attempt("an input that changed meanwhile", z.sum().backward)
