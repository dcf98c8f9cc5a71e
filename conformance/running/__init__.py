"""Running behaviours: processes, recording, limits, crashes, resuming, the state of the process."""
