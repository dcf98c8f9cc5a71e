"""Plots of failing cells: the model of their curves, and the numbers that an engine computes near a point."""
