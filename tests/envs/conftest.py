"""What the tests of the environments share."""

collect_ignore = ["agents"]  # files that only run where there is a `fights`
