"""Generated programs, run on engines that are wrong in one way."""
