"""Attacks on a server of one's own, on loopback, each with what the server must do about it. `benchmarks/hostile.py` runs them."""
