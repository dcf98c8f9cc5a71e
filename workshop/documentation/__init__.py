"""The cited documentation: who cites what, what of each library is covered, and which docstrings changed."""
