"""PyTorch's functions and methods: each brings its arguments into normal form and calls primitives.

Nothing here has a derivative of its own. `methods` finally hangs everything onto `Tensor`.
"""
