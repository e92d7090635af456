"""The tests of the server get its fixtures; so do those of the client and of the environments that play at a real server."""

from databases import empty_url, postgresql, postgresql_url, redis_server, redis_url, url  # noqa: F401
from fixtures import local_server, mails, meet, own_server, pytest_pyfunc_call, server, site  # noqa: F401
