import torch

x, weight = torch.tensor(0.0), torch.tensor(0.25)
forward = torch.func.jvp(lambda x: torch.nn.functional.prelu(x, weight), (x,), (torch.ones(()),))[1].item()
reverse = torch.func.grad(lambda x: torch.nn.functional.prelu(x, weight))(x).item()
print("forward mode", forward, "reverse mode", reverse)
assert forward == reverse
