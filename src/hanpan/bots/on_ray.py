"""Jobs shared out on a Ray cluster. Each worker there is an actor; Ray starts a dead one again, elsewhere if need be, and gives it its job once more."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from typing import Any

from hanpan.bots.work import TRIES, J, R, Work
from hanpan.core.extras import needed
from hanpan.core.reading import quoted

with needed("--on ray", "hanpan[ray]"):
    import ray
    from ray.exceptions import ActorDiedError, RayError, RayTaskError

_FAREWELL = 5.0  # seconds for a worker to end its programs


class _Worker:
    """What runs in the cluster. It opens its work with the first job, so that whatever is wrong with it is told like any other fault."""

    def __init__(self, work: Work[Any, Any]) -> None:
        os.environ["HANPAN_QUIET"] = "1"
        self._work, self._open = work, ExitStack()
        self._do: Callable[[Any], Any] | None = None

    def do(self, job: Any) -> Any:
        if self._do is None:
            self._do = self._open.enter_context(self._work.open())
        return self._do(job)

    def close(self) -> None:
        self._open.close()


def share_out_on_ray(work: Work[J, R], jobs: Sequence[J], address: str, most: int) -> Iterator[R]:
    """The results as they finish, in any order; so many jobs at once (0: one for each processor of the cluster)."""
    with _cluster(address):
        number = min(len(jobs), most or max(1, int(ray.cluster_resources().get("CPU", 1))))
        kind = ray.remote(num_cpus=1, max_restarts=-1, max_task_retries=TRIES - 1)(_Worker)
        crew = [kind.remote(work) for _ in range(number)]
        waiting, busy = iter(jobs), dict[Any, tuple[Any, J]]()
        idle = list(crew)
        try:
            while True:
                for worker, job in zip(idle, waiting, strict=False):
                    busy[worker.do.remote(job)] = worker, job
                if not busy:
                    break
                ready, _ = ray.wait(list(busy), num_returns=1)
                idle = []
                for told in ready:
                    worker, job = busy.pop(told)
                    idle.append(worker)
                    yield _result(told, job)
            with suppress(RayError):
                ray.wait([worker.close.remote() for worker in crew], num_returns=len(crew), timeout=_FAREWELL)
        finally:
            for worker in crew:
                ray.kill(worker)


def _result(told: Any, job: object) -> Any:
    try:
        return ray.get(told)
    except RayTaskError as wrong:
        if isinstance(wrong.cause, ModuleNotFoundError):
            raise ValueError(f"the machines of the Ray cluster lack what this one has: {wrong.cause}") from None
        raise (ValueError(str(wrong.cause)) if isinstance(wrong.cause, ValueError) else RuntimeError(str(wrong))) from None
    except ActorDiedError as wrong:
        raise RuntimeError(f"{TRIES} workers of the Ray cluster have died of the same job: {str(job)[:60]} ({wrong})") from None


@contextmanager
def _cluster(address: str) -> Iterator[None]:
    """A connection to the cluster, for as long as it is needed; one that is there already is used and left."""
    if address != "ray" and not address.startswith("ray://"):
        raise ValueError(f"--on: {quoted(address)} is neither `ray` (the cluster of this machine, or of RAY_ADDRESS) nor like ray://HOST:10001")
    if ray.is_initialized():
        yield
        return
    try:
        ray.init("auto" if address == "ray" else address, logging_level=logging.ERROR, log_to_driver=False)
    except (ConnectionError, RuntimeError, ValueError, RayError) as wrong:
        hint = "start one with `ray start --head`, or name one: --on ray://HOST:10001" if address == "ray" else "is `ray start --head` running there?"
        raise ValueError(f"--on {address}: no Ray cluster answers ({str(wrong).splitlines()[0][:200]}); {hint}") from None
    try:
        yield
    finally:
        ray.shutdown()
