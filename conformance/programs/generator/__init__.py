"""The generator of programs: draws a valid program of a kind from a seed."""
