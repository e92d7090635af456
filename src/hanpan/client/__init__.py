"""A client for Hanpan servers, and computer players that play there."""

from hanpan.client.client import COOKIES, Client, Invalid, Lobby, Lost, Room

__all__ = ["COOKIES", "Client", "Invalid", "Lobby", "Lost", "Room"]
