"""How an engine gets an adapter: a skeleton to fill in, and the question whether what was filled in is sane."""
