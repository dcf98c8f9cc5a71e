"""The engines' own lists of functions as inventories of the protocol: a module for each engine."""
