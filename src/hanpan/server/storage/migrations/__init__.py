"""The steps of the schema, oldest first: each adds to what is there and none takes away."""
