"""Adapters of new engines: a skeleton to fill in, and the check whether the adapter is sane."""
