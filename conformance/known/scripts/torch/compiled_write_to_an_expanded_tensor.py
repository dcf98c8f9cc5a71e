import torch


@torch.compile(backend="aot_eager")
def program():
    expanded = torch.tensor([1.0]).expand(3)
    return expanded.add_(1.0)


try:
    written = program()
except RuntimeError:
    pass  # as in eager mode: more than one element refers to a single memory location
else:
    raise AssertionError(f"no error, and {written}")
