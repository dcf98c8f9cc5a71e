"""Hooks: functions called with gradients while backward() runs, one file per kind of hook."""
