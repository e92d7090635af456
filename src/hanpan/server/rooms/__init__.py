"""Rooms and the games in them."""
