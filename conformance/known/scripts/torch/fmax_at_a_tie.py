import torch

one = torch.tensor(1.0)
for f in (torch.fmin, torch.maximum, torch.fmax):
    forward = torch.func.jvp(lambda x, f=f: f(x, one), (one,), (one,))[1]
    reverse = torch.func.grad(lambda x, f=f: f(x, one))(one)
    print(f.__name__, "by its first argument, at a tie: forward", forward.item(), "reverse", reverse.item())
assert forward == reverse, (forward, reverse)
