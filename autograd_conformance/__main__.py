"""`python -m autograd_conformance` is the console command."""

from autograd_conformance.cli import main

main()
