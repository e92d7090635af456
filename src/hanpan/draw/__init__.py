"""Drawing a scene."""
