"""The vocabulary of a game."""
