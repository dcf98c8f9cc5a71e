"""Random programs for the tape: views, changes in place, hooks, modes, several backward passes, refusals.

`written(seed)` is the source of one, the same on every machine. A program tells what it sees in plain lines: numbers
rounded, flags, and kinds of exceptions. Run as a script this file runs the programs of the seeds that it is given on
whatever ``torch`` is, and prints what each told as JSON.
"""

from __future__ import annotations

import contextlib
import io
import json
import random
import sys
import warnings

# What makes a new value of one, and of two: {a} and {b} stand for values. A value that was clamped is moved off its
# bound before it is clamped again, for there the two differ (see `rule_differences`).
ONE = """
    {a}.exp(); {a}.sin(); {a}.tanh(); {a}.sigmoid(); -{a}; {a}.abs(); {a}.square(); {a}.relu(); {a} * 2; 3 / {a};
    {a}.t(); {a}.contiguous(); {a}.clone(); {a}.flip(0); {a}.cumsum(0); {a}.view(-1); {a}.reshape(3, 2);
    {a}.unsqueeze(0); {a}.squeeze(); {a}.sum(); {a}.mean(0); {a}.sum(-1, keepdim=True); {a}.prod(0); {a}.max();
    {a}.amax(0); {a}.min(0).values; {a}.var(); {a}.logsumexp(0); {a}.softmax(0); {a}.log_softmax(-1); {a}.norm();
    ({a} * 1.01).clamp(-0.5, 0.5); {a}.floor(); {a}.diagonal(); {a}.tril(); {a}.expand(2, -1, -1); {a}.permute(1, 0);
    {a}.transpose(0, 1); {a}[0]; {a}[:, 1]; {a}[..., 0]; {a}[[0, 1, 0]]; {a}[::2]; {a}.detach(); {a}.float();
    {a}.pow(3); {a}.sort(0).values; {a}.flip(-1); torch.stack([{a}, {a}], 1); {a}.unbind(0)[0]; {a}.chunk(2)[1];
    {a}.split(1)[0]; {a}.reshape(-1); {a}.narrow(0, 0, 1); {a}[torch.tensor([1, 1])];
    {a}.take(torch.tensor([[0, 1, 0]])); {a}.masked_fill({a} > 0, 0.5); {a}.view_as({a}); {a}.movedim(0, 1);
    {a}.unfold(0, 2, 1); {a}.triu(); {a}.select(0, 1); {a}.kthvalue(1, 0).values; {a}.topk(1, 0).values;
    AsItIs.apply({a}); Halves.apply({a})[1]; Dirty.apply({a} * 1); Dirty.apply({a}); {a}.mT; {a}.data;
    {a}.reshape(2, -1);
    {a}.narrow(0, -1, 1); {a}.split(2, 1)[-1]; torch.cat([{a}, torch.zeros(0).double()]); {a} / 3;
    torch.linalg.vector_norm({a}, 1); checkpoint(torch.sin, {a}, use_reentrant=False);
    torch.nn.functional.leaky_relu({a})"""
TWO = """
    {a} + {b}; {a} * {b}; {a} - {b}; {a} / ({b} * {b} + 1); {a} @ {b}.t(); torch.maximum({a}, {b}); {a} * {b}.detach();
    torch.where({a} > {b}, {a}, {b}); torch.stack([{a}, {b}]); torch.cat([{a}, {b}]); torch.atan2({a}, {b} * {b} + 1);
    {a} * 0.7 + {b} * 0.3; {a} + {a} * {b}; {a}.expand_as({b}); {a}.outer({b})"""
# What changes something that is there.
CHANGES = """
    {a}.mul_(2); {a}.add_({b}); {a}[0] = 1.5; {a}[0] = {b}[0]; {a}.zero_(); {a}.exp_(); {a}.sub_(0.1); {a}.copy_({b});
    {a}[:1].mul_(3); {a}.detach().add_(1); {a}.view(-1)[0] = 2.0;
    {a}.masked_fill_({a} > 0, 0.5); {a}.mul_(1.01).clamp_(-0.9, 1.1); {a}.fill_(0.3);
    {a}.div_(2); {a}.pow_(2); {a}.retain_grad();
    {a}.register_hook(lambda g: g * 2) if known({a}) else 0; {a}.tanh_(); {a}.mul_({b});
    {a}[[0, 0]] = 0.25; {a}.unbind(0)[0].mul_(2); {a}[torch.tensor([0])] = 2.0;
    {a}.grad_fn.register_hook(lambda i, o: seen.append("node"));
    {a}.register_hook(lambda g: seen.append(shape(g))) if known({a}) else 0"""

PRELUDE = '''
import torch
from torch.autograd import Function
from torch.utils.checkpoint import checkpoint
seen = []

class AsItIs(Function):
    forward = staticmethod(lambda ctx, x: x)
    backward = staticmethod(lambda ctx, g: g * 2)

class Halves(Function):
    forward = staticmethod(lambda ctx, x: (x[:1], x[1:]))
    backward = staticmethod(lambda ctx, g, h: torch.cat([g, h * 3]))

class Dirty(Function):
    forward = staticmethod(lambda ctx, x: (ctx.mark_dirty(x), x.mul_(2))[1])
    backward = staticmethod(lambda ctx, g: g * 2)

def shape(x):
    return tuple(x.shape)

def known(x):
    # PyTorch 2.13 crashes in register_hook of a view whose base has changed, unless grad_fn was read before.
    return x.grad_fn is not None or x.is_leaf

def rounded(v):
    return [rounded(w) for w in v] if isinstance(v, list) else round(v, 4) + 0.0

def tell(name, action):
    """Tell what an action gives, or the kind of exception that it ends by."""
    try:
        value = action()
    except Exception as error:
        print(name, "ended by", type(error).__name__)
        return None
    if isinstance(value, torch.Tensor):
        print(name, rounded(value.detach().double().tolist()), shape(value), value.requires_grad, value.is_leaf)
    elif value is not None:
        print(name, value)
    return value

def grads(out, wanted, again):
    """Gradients of a sum of squares of gradients, or plain ones."""
    first = torch.autograd.grad(out, wanted, create_graph=again, allow_unused=True)
    if not again:
        return [None if g is None else rounded(g.tolist()) for g in first]
    # A cube of each leaf, so that there is always something to differentiate.
    total = sum((g * g).sum() for g in first if g is not None) + sum((x ** 3).sum() for x in wanted)
    return [None if g is None else rounded(g.tolist()) for g in torch.autograd.grad(total, wanted, allow_unused=True)]
'''


def _choices(table: str) -> list[str]:
    return [line.strip() for line in table.split(";")]


def _step(draw: random.Random, number: int, names: list[str]) -> list[str]:
    """One statement: a new value, or a change."""
    a, b = draw.choice(names), draw.choice(names)
    kind = draw.random()
    if kind < 0.65:
        code = draw.choice(_choices(ONE if kind < 0.4 else TWO)).format(a=a, b=b)
        names.append(f"v{number}")
        return [f"v{number} = tell('v{number}', lambda: {code})", f"if v{number} is None: v{number} = v0 * 1"]
    code = draw.choice(_choices(CHANGES)).format(a=a, b=b)
    mode = draw.choice(["", "", "", "torch.no_grad()", "torch.enable_grad()"])
    inside = f"        {code}" if not mode else f"        with {mode}: {code}"
    return [f"def change():\n    try:\n{inside}\n    finally: pass", f"tell({code.split('(')[0]!r}, change)"]


def written(seed: int) -> str:
    """The program of a seed."""
    draw = random.Random(seed)
    lines = [PRELUDE]
    for i in range(2):
        numbers = [[round(draw.uniform(-2, 2), 2) for _ in range(3)] for _ in range(2)]
        lines.append(f"v{i} = torch.tensor({numbers}, dtype=torch.float64, requires_grad={draw.random() < 0.8})")
    names = ["v0", "v1"]
    for number in range(2, draw.randint(6, 12)):
        lines += _step(draw, number, names)
    return "\n".join([*lines, *_ending(draw, names)])


def _ending(draw: random.Random, names: list[str]) -> list[str]:
    """Backward once or twice, or gradients of first or second order; then all gradients, values and flags."""
    lines = [f"out = {names[-1]}.sum()"]
    again = False
    if draw.random() < 0.4:
        again = draw.random() < 0.5
        lines.append(f"tell('grads', lambda: grads(out, [x for x in (v0, v1) if x.requires_grad], {again}))")
    else:
        # How far a backward pass came before it was refused is nobody's promise.
        forget = "v0.grad = v1.grad = None"
        keep = draw.random() < 0.4
        lines.append(f"if not tell('backward', lambda: out.backward(retain_graph={keep}) or 'done'): {forget}")
        if draw.random() < 0.4:
            lines.append(f"if not tell('again', lambda: out.backward() or 'done'): {forget}")
    for name in names:
        lines += [f"tell('{name} now', lambda: {name})", f"tell('{name}.grad', lambda: {name}.grad)"]
    # Whether a second pass comes by a hook depends on whether a derivative that is zero counts as connected.
    return [*lines, "" if again else "print(seen)"]


def told(seed: int) -> str:
    """What the program of a seed tells, on whatever ``torch`` is."""
    output = io.StringIO()
    with contextlib.redirect_stdout(output), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            exec(compile(written(seed), f"program {seed}", "exec"), {})
        except Exception as error:
            print("all ended by", type(error).__name__)
    return output.getvalue()


if __name__ == "__main__":
    print(json.dumps({seed: told(int(seed)) for seed in sys.argv[1:]}))
