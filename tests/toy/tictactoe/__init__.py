"""Tic-tac-toe: a game that lives outside the package and is found through an entry point."""
