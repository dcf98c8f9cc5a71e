"""Arguments of the cases, as NumPy arrays: nothing is computed by an engine before a fork."""

from __future__ import annotations

from numpy import array

X = array([[0.3, 0.5, -0.2], [0.1, -0.7, 0.9]])
W = array([[1.3, 0.8, -0.6], [1.1, -0.4, 0.7]])
POSITIVE = array([0.7, 1.3, 2.1])
VECTOR = array([0.4, -0.3, 0.8])
