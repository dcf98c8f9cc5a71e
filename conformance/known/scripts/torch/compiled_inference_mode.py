import torch


@torch.compile(backend="aot_eager")
def constant():
    with torch.inference_mode():
        return 2 * torch.ones(2)


made = constant()
assert made.is_inference()
