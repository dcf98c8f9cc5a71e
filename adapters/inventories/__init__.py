"""What engines list of their own functions, as inventories of the protocol: a module for each engine."""
