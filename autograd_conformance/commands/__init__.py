"""One module per command: its declaration, and below it what it does."""
