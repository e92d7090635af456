"""Programs of the system that these tests run."""

import os
import shutil

import pytest


def program(name):
    """Where a program is that `./test` installs; where it could not, the test is left out, and fails under CI."""
    found = shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    if found is None and os.environ.get("CI"):
        pytest.fail(f"{name} is not installed, and this is CI")
    return found or pytest.skip(f"{name} is not installed")
