"""Hooks on nodes, on several tensors at once, and after accumulation."""

import torch
from telling import attempt, program, values
from torch.autograd.graph import register_multi_grad_hook


@program
def a_node_hook_sees_both_sides():
    x = torch.tensor([2.0], requires_grad=True)
    y = x * 3
    y.grad_fn.register_hook(lambda inputs, outputs: print([values(g) for g in inputs], [values(g) for g in outputs]))
    (y * 5).sum().backward()


@program
def a_node_hook_replaces_the_gradients():
    x = torch.tensor([2.0], requires_grad=True)
    y = x * x
    y.grad_fn.register_hook(lambda inputs, outputs: tuple(g * 10 for g in inputs))
    y.sum().backward()
    print(values(x.grad))


@program
def a_prehook_comes_before_and_replaces():
    x = torch.tensor([2.0], requires_grad=True)
    y = x.exp()
    y.grad_fn.register_prehook(lambda outputs: (outputs[0] * 0 + 2,))
    y.grad_fn.register_prehook(lambda outputs: print("second prehook sees", values(outputs[0])))
    y.grad_fn.register_hook(lambda inputs, outputs: print("hook sees", values(outputs[0])))
    (y * 100).sum().backward()
    print(values(x.grad))


@program
def the_documented_order():
    x = torch.tensor([1.0], requires_grad=True)
    y = x * 2
    y.retain_grad()
    y.grad_fn.register_hook(lambda i, o: print("posthook"))
    y.grad_fn.register_prehook(lambda o: print("prehook, retained", values(y.grad)))
    y.register_hook(lambda g: print("tensor hook"))
    x.register_hook(lambda g: print("tensor hook of the leaf", x.grad))
    x.register_post_accumulate_grad_hook(lambda p: print("post-accumulate hook", values(p.grad)))
    y.sum().backward()


@program
def tensor_prehook_order_on_a_captured_input():
    x = torch.tensor([1.0], requires_grad=True)
    y = x * 2
    y.register_hook(lambda g: g * 2)
    y.grad_fn.register_prehook(lambda o: (o[0] * 100,))
    print(values(torch.autograd.grad(y.sum(), y, retain_graph=True)[0]))
    print([values(g) for g in torch.autograd.grad(y.sum(), (y, x))])


@program
def a_removed_node_hook_is_not_called():
    x = torch.tensor([1.0], requires_grad=True)
    y = x * 2
    handle = y.grad_fn.register_hook(lambda i, o: print("called"))
    y.sum().backward(retain_graph=True)
    handle.remove()
    y.sum().backward()
    print(values(x.grad))


@program
def a_node_hook_of_the_wrong_length_is_refused():
    x = torch.tensor([1.0], requires_grad=True)
    y = x * 2
    y.grad_fn.register_hook(lambda inputs, outputs: (*inputs, None))
    attempt("too many", y.sum().backward)
    z = x * 2
    z.grad_fn.register_prehook(lambda outputs: ())
    attempt("too few", z.sum().backward)
    print(x.grad)


@program
def hooks_of_the_accumulating_node():
    x = torch.tensor([1.0], requires_grad=True)
    node = x.view(1).grad_fn.next_functions[0][0]
    print(node.name(), node.variable is x)
    node.register_prehook(lambda outputs: (outputs[0] * 3,))
    node.register_hook(lambda inputs, outputs: print(inputs, values(outputs[0])))
    (x * 2).sum().backward()
    print(values(x.grad))


@program
def post_accumulate_hooks():
    x = torch.tensor([1.0, 2.0], requires_grad=True)

    def step(parameter):
        print("gradient", values(parameter.grad), torch.is_grad_enabled())
        with torch.no_grad():
            parameter -= parameter.grad
        parameter.grad = None

    handle = x.register_post_accumulate_grad_hook(step)
    (x * x).sum().backward()
    print(values(x), x.grad)
    handle.remove()
    (x * x).sum().backward()
    print(values(x), values(x.grad))


@program
def post_accumulate_hooks_are_for_leaves():
    x = torch.tensor([1.0], requires_grad=True)
    attempt("non-leaf", lambda: (x * 2).register_post_accumulate_grad_hook(print))
    attempt("plain", lambda: torch.ones(1).register_post_accumulate_grad_hook(print))
    x.register_post_accumulate_grad_hook(lambda p: p.grad)
    attempt("one that returns something", (x * 2).sum().backward)


@program
def post_accumulate_hooks_run_once_per_backward_in_order():
    x = torch.tensor([1.0], requires_grad=True)
    calls = []
    for name in "abc":
        x.register_post_accumulate_grad_hook(lambda p, name=name: calls.append(name))
    (x * 2 + x * 3).sum().backward()
    print(calls)
    torch.autograd.grad((x * 2).sum(), x)
    print(calls, "grad() accumulates nothing")


@program
def a_multi_grad_hook_waits_for_all():
    a, b, c = (torch.ones(1, requires_grad=True) for _ in range(3))
    handle = register_multi_grad_hook((a, b, c), lambda gs: print([values(g) for g in gs]))
    (a * 2 + b * 3 + c * 4).sum().backward()
    (a * 2).sum().backward()
    print("only one of them had a gradient")
    handle.remove()
    (a * 2 + b * 3 + c * 4).sum().backward()


@program
def a_multi_grad_hook_knows_what_will_come():
    a, b, c, d = (torch.ones(1, requires_grad=True) for _ in range(4))
    register_multi_grad_hook((a, b, c), lambda gs: print([values(g) for g in gs]))
    (a * 2 + b * 3 + d).sum().backward()
    torch.autograd.grad((a * 5 + b).sum(), a)
    (a + c).sum().backward(inputs=[c])


@program
def a_multi_grad_hook_of_any_kind_fires_once():
    a, b = (torch.ones(1, requires_grad=True) for _ in range(2))
    register_multi_grad_hook((a, b), lambda g: print("fired with", values(g)), mode="any")
    (a * 2 + b * 2).sum().backward()
    (b * 3).sum().backward()
    attempt("a mode of another name", lambda: register_multi_grad_hook((a,), print, mode="some"))


@program
def a_multi_grad_hook_on_intermediate_results():
    x = torch.ones(1, requires_grad=True)
    y, z = x * 2, x * 3
    with register_multi_grad_hook((y, z), lambda gs: print([values(g) for g in gs])):
        (y * z).sum().backward(retain_graph=True)
    (y * z).sum().backward()
    print(values(x.grad))


@program
def metadata_stays_with_the_node():
    x = torch.ones(1, requires_grad=True)
    y = x * 2
    y.grad_fn.metadata["note"] = "kept"
    z = y + 1
    print(z.grad_fn.next_functions[0][0].metadata)


@program
def a_hook_finds_the_nodes_of_a_graph():
    x = torch.ones(1, requires_grad=True)
    y = (x * 2).exp().sum()
    names, pending = [], [y.grad_fn]
    while pending:
        node = pending.pop()
        names.append(node.name())
        pending += [n for n, _ in node.next_functions if n is not None]
    print(names)


@program
def hooks_survive_a_second_backward():
    x = torch.ones(1, requires_grad=True)
    y = x * x
    count = []
    y.grad_fn.register_hook(lambda i, o: count.append(1))
    y.sum().backward(retain_graph=True)
    y.sum().backward()
    print(len(count), values(x.grad))


@program
def a_missing_gradient_is_none_in_hooks():
    x = torch.arange(3.0, requires_grad=True)
    first, second, _ = x.unbind()
    first.grad_fn.register_prehook(lambda outputs: print([values(g) for g in outputs]))
    (second * 2).backward()
    print(values(x.grad))
