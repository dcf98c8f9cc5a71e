"""Scripts of an engine that is no more than NumPy, so that each step of their derivation can be seen."""
