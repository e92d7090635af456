"""What all tests share."""

import gc
import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

FOLDER = Path(__file__).parent

# The same examples in each run (`--hypothesis-profile default` looks for new ones), and a machine that is slow or pauses is no failure.
settings.register_profile("steady", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("steady")


def pytest_addoption(parser):
    parser.addoption("--late", action="store_true", help="let every connection of the Python client hear a little late (tests/late.py)")


def pytest_configure(config):
    """Told to end, a run tidies up as after Ctrl-C. What it does not get to is done by the keeper of its processes (server/kept.py)."""
    if not hasattr(config, "workerinput"):
        signal.signal(signal.SIGTERM, _end)
    config.pluginmanager.register(Examples())
    if config.getoption("--late"):
        from late import Late

        config.pluginmanager.register(Late())


def _end(number, frame):
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # once is enough
    raise KeyboardInterrupt


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """While the tests are found there is no garbage to look for: all that is loaded for it stays."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


class Examples:
    """Examples in docstrings are looked for only where there are some: to import every other module for it takes each worker seconds."""

    @pytest.hookimpl(wrapper=True)
    def pytest_collect_file(self, file_path):
        found = yield
        some = found and FOLDER not in file_path.parents and b">>>" in file_path.read_bytes()
        return found if some else [each for each in found if type(each) is pytest.Module]


OTHER_PROGRAMS = {"browser", "postgresql", "redis_server", "front"}  # fixtures that start one


def pytest_itemcollected(item):
    """What needs another program to run beside it is slow."""
    if OTHER_PROGRAMS.intersection(getattr(item, "fixturenames", ())):
        item.add_marker(pytest.mark.slow)


WAIT_FOR_MODULES = {"test_analysis", "test_local"}  # which a server makes once it has compiled everything


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items):
    """The slow ones first, so that no core is left with one of them at the end; of those the ones with a browser, so that it is started once; and of these last
    the ones that would wait for modules."""

    def place(item):
        return item.get_closest_marker("slow") is None, "browser" not in getattr(item, "fixturenames", ()), item.path.stem in WAIT_FOR_MODULES

    items.sort(key=place)


@pytest.fixture(scope="session")
def traces() -> Path:
    return FOLDER / "traces"


@pytest.fixture(autouse=True)
def _games_may_be_named_in_doctests(doctest_namespace):
    import hanpan

    doctest_namespace["hanpan"] = hanpan
