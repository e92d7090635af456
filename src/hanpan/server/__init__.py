"""The server: people, lobby, rooms, tables, clocks, ratings, storage."""
