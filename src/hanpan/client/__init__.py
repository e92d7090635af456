"""A client for Hanpan servers, and computer players that play there."""

from hanpan.client.client import COOKIES, Client, Lobby, Room
from hanpan.client.connection import Invalid, Lost

__all__ = ["COOKIES", "Client", "Invalid", "Lobby", "Lost", "Room"]
