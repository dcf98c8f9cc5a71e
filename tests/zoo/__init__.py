"""Adapters that are broken, each in one way, and the little chapter that they are tried on."""
