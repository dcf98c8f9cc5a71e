"""How an engine gets an adapter: a skeleton to fill in, and the check whether the adapter is sane."""
