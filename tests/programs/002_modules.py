"""Document 002, "Learned parameters that depend on one another", the Module in its three forms.

The ratio of two learned numbers is written into the tensor that it was computed from: the forward pass works, backward
raises an error. Stacking the numbers and their ratio overwrites nothing that was saved. Writing the detached ratio is
accepted, at the price of its gradient. The seed gives the document's printed values, which are the same in all forms.
"""

import torch


class Example(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.paramn_ = torch.nn.Parameter(torch.rand(2), requires_grad=True)
        self.eta_estimator = torch.nn.Sequential(torch.nn.Linear(3, 1))
        self.eta_estimator.train(False)
        self.param_max = torch.tensor([2, 4, 2])
        self.param_min = torch.tensor([1, 2, 0])

    @property
    def Param(self):
        paramn = torch.zeros([3])
        paramn[0] = self.paramn_[0]
        paramn[1] = self.paramn_[1]
        param = self.with_ratio(paramn * (self.param_max - self.param_min) + self.param_min)
        return (param - self.param_min) / (self.param_max - self.param_min)

    @property
    def eta(self):
        return self.eta_estimator(self.Param)


class ByWriting(Example):
    def with_ratio(self, param):
        param[2] = param[0] / param[1]
        return param


class ByStacking(Example):
    def with_ratio(self, param):
        return torch.stack([param[0], param[1], param[0] / param[1]])


class ByDetaching(Example):
    def with_ratio(self, param):
        param[2] = (param[0] / param[1]).detach()
        return param


for form in (ByWriting, ByStacking, ByDetaching):
    torch.manual_seed(0)
    test = form()
    print(test.paramn_)
    print(test.Param)
    print("eta =", [round(value, 4) for value in test.eta.tolist()])
    print([name for name, _ in test.named_parameters()], test.eta_estimator.training)
    try:
        test.Param.sum().backward()
    except RuntimeError:
        print("backward raises RuntimeError")
    print("gradient:", test.paramn_.grad)
