import torch


def program(x, y):
    z = torch.log_softmax(y, -1)
    torch._dynamo.graph_break()
    z.cumsum_(-1)  # nothing that is returned depends on it
    return x * 2


def gradient(function):
    x, y = (torch.tensor([1.0, 2.0, 4.0], requires_grad=True) for _ in range(2))
    function(x, y).sum().backward()
    return x.grad.tolist()


print("eager", gradient(program))
print("compiled", gradient(torch.compile(program, backend="aot_eager")))
