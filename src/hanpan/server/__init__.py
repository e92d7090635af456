"""The online house: people, lobby, rooms, tables, clocks, ratings, storage."""
