"""How behaviours are run: pytest plugin, recording, limits, crashes, resuming, the state of the process."""
