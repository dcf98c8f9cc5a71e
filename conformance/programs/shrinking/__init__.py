"""Findings made small and named: shrinking, slices and signatures."""
