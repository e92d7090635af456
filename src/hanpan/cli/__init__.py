"""The command line."""

from hanpan.cli.app import app, main

__all__ = ["app", "main"]
