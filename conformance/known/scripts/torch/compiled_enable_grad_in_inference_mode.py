import torch

seen = []


@torch.compiler.disable
def look(flag):
    seen.append(flag)


def program():
    x = torch.tensor(3.0, requires_grad=True)
    with torch.inference_mode(), torch.enable_grad():
        y = x * x
    look(y.requires_grad)


program()
torch.compile(program, backend="eager")()
assert seen == [False, False], seen
