"""Running behaviours: pytest plugin, recording, limits, crashes, resuming, the state of the process."""
