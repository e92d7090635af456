"""Many people at a server at once: how long they wait, and whether what they were told can be true."""
