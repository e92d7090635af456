"""python -m hanpan.cli: the same as the command `hanpan`."""

from hanpan.cli import main

main()
