import torch

inf = float("inf")
x = torch.tensor([[[0.5, 1.0, 0.0]], [[0.5, 1.0, -inf]], [[1.0, 2.0, 0.0]]], dtype=torch.float64, requires_grad=True)
loss = torch.nn.functional.ctc_loss(x.log_softmax(2), torch.tensor([[1]]), torch.tensor([3]), torch.tensor([1]))
(gradient,) = torch.autograd.grad(loss, x)
print("loss", loss.item(), "gradient", gradient)
assert gradient.isfinite().all()
