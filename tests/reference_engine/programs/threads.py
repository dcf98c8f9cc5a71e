"""Several threads: each may run its own forward and backward, also on shared leaves and graphs."""

import threading

import torch
from telling import program, values


def in_threads(action, count=4):
    threads = [threading.Thread(target=action, args=(i,)) for i in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


@program
def each_thread_its_own_graph():
    results = {}

    def work(i):
        x = torch.full((3,), float(i), requires_grad=True)
        for _ in range(20):
            x.grad = None
            (x * x).sum().backward()
        results[i] = values(x.grad)

    in_threads(work)
    print(sorted(results.items()))


@program
def one_leaf_for_all():
    x = torch.ones(2, requires_grad=True)
    lock = threading.Lock()

    def work(i):
        y = (x * (i + 1)).sum()
        with lock:
            y.backward()

    in_threads(work)
    print(values(x.grad))


@program
def parts_of_one_graph():
    x = torch.ones(2, requires_grad=True)
    shared = x * 2
    lock = threading.Lock()
    results = []

    def work(i):
        (g,) = torch.autograd.grad((shared * (i + 1)).sum(), x, retain_graph=True)
        with lock:
            results.append(values(g))

    in_threads(work)
    print(sorted(results))


@program
def a_graph_made_here_and_walked_there():
    x = torch.ones(2, requires_grad=True)
    y = (x * x).sum()
    thread = threading.Thread(target=y.backward)
    thread.start()
    thread.join()
    print(values(x.grad))


@program
def hooks_of_saved_values_belong_to_their_thread():
    seen = []

    def work(i):
        x = torch.ones(1, requires_grad=True)
        (x * x).sum().backward()
        seen.append("done")

    def forbidden(t):
        seen.append("packed")
        return t

    with torch.autograd.graph.saved_tensors_hooks(forbidden, lambda t: t):
        in_threads(work, 2)
    print(seen)


@program
def an_exception_stays_in_its_thread():
    caught = []

    def work(i):
        x = torch.ones(1, requires_grad=True)
        y = x * 2
        if i == 0:
            y.register_hook(lambda g: [][0])
        try:
            y.sum().backward()
            caught.append("fine")
        except IndexError:
            caught.append("IndexError")

    in_threads(work, 3)
    print(sorted(caught))


@program
def modes_in_the_middle_of_another_threads_work():
    x = torch.ones(1, requires_grad=True)
    ready, go = threading.Event(), threading.Event()
    seen = []

    def work():
        with torch.no_grad():
            ready.set()
            go.wait()
            seen.append((x * 2).requires_grad)

    thread = threading.Thread(target=work)
    thread.start()
    ready.wait()
    seen.append((x * 2).requires_grad)
    go.set()
    thread.join()
    print(seen)
