"""What outlives the process: people, rooms, games with every action, ratings."""
