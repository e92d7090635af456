"""What all tests share."""

from pathlib import Path

import pytest

FOLDER = Path(__file__).parent


@pytest.fixture(scope="session")
def traces() -> Path:
    return FOLDER / "traces"


@pytest.fixture(autouse=True)
def _games_may_be_named_in_doctests(doctest_namespace):
    import hanpan

    doctest_namespace["hanpan"] = hanpan
