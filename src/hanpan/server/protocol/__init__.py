"""What may be asked of the server and what it tells."""
