"""Wall Go: pieces that walk two steps and leave a wall behind, until every seat has its own land."""
