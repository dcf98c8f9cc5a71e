import torch

loss = torch.compile(torch.nn.functional.multilabel_margin_loss, backend="aot_eager")
x = torch.tensor([1.0, -1.0, 0.5], requires_grad=True)
target = torch.tensor([1, -1, -1])  # of class 1 alone
gradient = torch.autograd.grad(loss(x, target), x)[0].tolist()
assert torch.tensor(gradient).allclose(torch.tensor([1.0, -2.0, 1.0]) / 3), gradient
