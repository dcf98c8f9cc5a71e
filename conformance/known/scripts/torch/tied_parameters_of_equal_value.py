import torch


class Tied(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.foo = self.foo_tied = torch.nn.Parameter(torch.tensor(1.0))

    def forward(self, x):
        return x + self.foo + self.foo_tied


zeros = {"foo": torch.zeros(()), "foo_tied": torch.zeros(())}
assert torch.func.functional_call(Tied(), zeros, torch.zeros(())) == 0
