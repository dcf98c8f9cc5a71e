"""Forward rules: custom JVP rules, and reverse mode by their transposition."""
