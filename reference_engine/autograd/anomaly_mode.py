"""torch.autograd.anomaly_mode: anomaly detection, under the name that PyTorch also gives it."""

from ..core.modes import detect_anomaly, set_detect_anomaly

__all__ = ["detect_anomaly", "set_detect_anomaly"]
