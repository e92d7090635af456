"""Who someone is, how they come in, and how people live together."""
