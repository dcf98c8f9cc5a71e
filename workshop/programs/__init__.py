"""Generated programs, tried on engines that are wrong in one way, and on real bugs that are there or brought back."""
