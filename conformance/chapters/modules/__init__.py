"""Modules: frozen and shared parameters, registration, zero_grad() and functional_call, in two files."""
