"""The ways in and out: sockets, streams for bots, connections."""
