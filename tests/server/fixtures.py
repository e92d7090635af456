"""What the tests of the server share: a real server in a process of its own, one in this process, and clients that check what they are told."""

import asyncio
import inspect

import pytest
from clients import guests
from javascript import mixed_guests, prepared
from local import LocalServer
from serving import PATIENT, ServerProcess, free_port


def pytest_pyfunc_call(pyfuncitem):
    """Tests may be coroutines."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    arguments = {name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}
    asyncio.run(asyncio.wait_for(pyfuncitem.obj(**arguments), 2 * PATIENT))
    return True


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """One server for all tests that do not mind others beside them."""
    running = ServerProcess(tmp_path_factory.mktemp("server")).start()
    yield running
    running.stop()
    assert "Error" not in running.log.read_text(), running.log.read_text()


@pytest.fixture
def own_server(tmp_path):
    """A server that a test may kill: `own_server()` starts it, with settings."""
    started = []

    def start(**settings):
        started.append(ServerProcess(tmp_path, **settings))
        return started[-1].start()

    yield start
    for running in started:
        running.stop()


@pytest.fixture
def local_server(tmp_path):
    """A server in this process: `local_server()` starts it, with settings, or with `chance`."""
    started = []

    def start(**settings):
        started.append(LocalServer(tmp_path / f"local{len(started)}", **settings))
        return started[-1].start()

    yield start
    for running in started:
        running.stop()


@pytest.fixture(params=["python", pytest.param("javascript", marks=pytest.mark.slow)])
def meet(request):
    """`meet(url, number)`: new people, once all with the Python client and once also with the official JavaScript one."""
    if request.param == "python":
        return guests
    prepared()
    return mixed_guests


@pytest.fixture(scope="module")
def mails(tmp_path_factory):
    """A mail server, for tests of logins."""
    from logging_in import MailServer

    running = MailServer(tmp_path_factory.mktemp("mail"))
    yield running
    running.stop()


@pytest.fixture(scope="module")
def site(tmp_path_factory, mails):
    """A server that mails, and that takes the tokens of another site."""
    from two_factors import SECRET

    port = free_port()
    folder = tmp_path_factory.mktemp("site")
    running = LocalServer(folder, port=port, url=f"http://127.0.0.1:{port}", smtp=mails.url, token_secret=SECRET, tries_per_hour=100_000).start()
    running.folder = folder
    yield running
    running.stop()
