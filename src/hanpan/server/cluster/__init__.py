"""Many processes as one server: how they reach each other, which of them are there, and what time it is for all of them."""
