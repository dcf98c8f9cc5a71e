"""Figures for the documentation, measured side by side with a named peer: `nox -s bench`."""
