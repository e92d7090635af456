"""Goita: two pairs, thirty-two komas, and a fishing town's way of telling the partner what one holds."""
