"""Reverse rules: custom_vjp in detail, with forward and backward rules, containers, static arguments and closures."""
