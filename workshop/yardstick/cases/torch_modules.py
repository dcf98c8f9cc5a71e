"""Modules in PyTorch: their parameters and buffers."""

from __future__ import annotations

import torch
from torch import nn

from workshop.yardstick.case import CaseTable
from workshop.yardstick.inputs import W, X

case = CaseTable("torch", "modules")


class OfWeight(nn.Module):
    """With a weight that is the same each time."""

    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.tensor(W))
        self.register_buffer("seen", torch.zeros(3, dtype=torch.float64))


@case.right(X)
class GatedLayer(OfWeight):
    def forward(self, x):
        return x @ torch.tanh(self.weight).T


@case.wrong(GatedLayer, "reverse_mode_gives", thread="d2l-ai/d2l-en#2600")
class GatedLayerOfData(OfWeight):
    """The weight's data is used: the weight is not trained."""

    def forward(self, x):
        return x @ torch.tanh(self.weight.data).T + 0 * self.weight.sum()


@case.wrong(GatedLayer, "reverse_mode_gives", thread="denfed/leaf-audio-pytorch#3")
class GatedLayerWithoutGrad(OfWeight):
    """The weight is constrained under no_grad, which cuts its gradient."""

    def forward(self, x):
        with torch.no_grad():
            gate = torch.tanh(self.weight)
        return x @ (gate + 0 * self.weight).T


@case.right(X)
class PenalisedLayer(OfWeight):
    """An output, and a penalty on the weight."""

    def forward(self, x):
        return x @ self.weight.T, 0.1 * (self.weight**2).sum()


@case.wrong(PenalisedLayer, "reverse_mode_gives", thread="yifita/deep_cage#16")
class PenalisedLayerInVain(OfWeight):
    """The penalty is computed of the detached weight."""

    def forward(self, x):
        return x @ self.weight.T, 0.1 * (self.weight.detach() ** 2).sum()


@case.right(X)
class RunningNorm(OfWeight):
    """Divides by the root mean square of the batch, and keeps a running one in a buffer."""

    def forward(self, x):
        square = (x**2).mean(0)
        with torch.no_grad():
            self.seen += 0.1 * (square - self.seen)
        return x * torch.rsqrt(square + 0.1) @ self.weight.T


@case.wrong(RunningNorm, "reverse_mode_gives", thread="pytorch/functorch#807")
class RunningNormOfConstants(OfWeight):
    """The statistics of the batch are taken for constants: backward saves them, and does not differentiate them."""

    def forward(self, x):
        square = (x**2).mean(0)
        return x * torch.rsqrt(square + 0.1).detach() @ self.weight.T
