"""The report in a real browser: what it does when it is clicked and typed at, and what it must never do."""
