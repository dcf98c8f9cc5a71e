"""Generated programs: what they are, what judges them, and the results of a campaign over ranges of seeds."""
