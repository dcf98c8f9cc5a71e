"""The native program of a cell: a behaviour's check in the engine's own API, ready for an issue."""
