"""Tools of the maintainers: not in the wheel, imported by no part of the product. `python -m workshop --help`."""
