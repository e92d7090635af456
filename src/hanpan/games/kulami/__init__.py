"""Kulami: marbles, seventeen wooden tiles, and a line that your opponent chooses for you."""
