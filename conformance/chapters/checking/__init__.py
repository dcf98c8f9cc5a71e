"""Checking: gradcheck and check_grads, which compare derivatives with finite differences, in two files."""
