import torch

x = torch.tensor([[0.1, 0.4, 0.2]])
LOSSES = {
    "multi_margin_loss": lambda x: torch.nn.functional.multi_margin_loss(x, torch.tensor([1])),
    "multilabel_margin_loss": lambda x: torch.nn.functional.multilabel_margin_loss(x, torch.tensor([[1, -1, 0]])),
}

lacking = []
for name, loss in LOSSES.items():
    print(name, "gradient", torch.func.grad(loss)(x))
    try:
        print(name, "tangent", torch.func.jvp(loss, (x,), (torch.ones_like(x),)))
    except NotImplementedError as error:
        lacking.append(f"{name}: {str(error)[:60]}")
assert not lacking, lacking
