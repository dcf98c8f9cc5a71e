import torch

weight = torch.zeros(3, 1, requires_grad=True)
weight.sum().backward()  # a dense gradient of ones
value = torch.tensor(5.0).expand(1, 1)  # strides of zero
weight.backward(torch.sparse_coo_tensor([[0]], value, (3, 1)))
assert weight.grad.flatten().tolist() == [6.0, 1.0, 1.0], weight.grad.flatten().tolist()
