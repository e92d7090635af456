"""What a process on this machine has used so far."""

import os
from contextlib import suppress
from pathlib import Path


def family(process: int) -> list[int]:
    """A process and those that it has started, as they are now."""
    children: list[int] = []
    for task in Path(f"/proc/{process}/task").glob("*/children"):
        with suppress(OSError):
            children += map(int, task.read_text().split())
    return [process, *(each for child in children for each in family(child))]


def waited(process: int) -> float:
    """Seconds that a process's first thread could have run and had no core to run on."""
    return int(Path(f"/proc/{process}/task/{process}/schedstat").read_text().split()[1]) / 1e9


def stolen() -> float:
    """Seconds that whoever runs this machine has kept its cores from running; on a machine of one's own, none."""
    return int(Path("/proc/stat").read_text().split(maxsplit=9)[8]) / os.sysconf("SC_CLK_TCK")


def cpu(process: int) -> float:
    """Seconds of processor time that a process, its threads and those that it has started have used."""
    used = 0
    for each in family(process):
        with suppress(OSError):
            used += sum(map(int, Path(f"/proc/{each}/stat").read_text().rsplit(")", 1)[1].split()[11:15]))  # the last two: of those that have ended
    return used / os.sysconf("SC_CLK_TCK")


class Share:
    """Processes that get no more than a share of a core each, by control groups (version 1 or 2), so as root on Linux."""

    def __init__(self, processes: list[int], share: float) -> None:
        first = Path("/sys/fs/cgroup/cpu")
        parent, quota = (first, "cpu.cfs_quota_us") if first.is_dir() else (Path("/sys/fs/cgroup"), "cpu.max")
        self._folders = [parent / f"hanpan-{process}" for process in processes]
        for folder, process in zip(self._folders, processes, strict=True):
            try:
                folder.mkdir()
                (folder / quota).write_text(f"{round(100_000 * share)}" + " 100000" * (quota == "cpu.max"))
                (folder / "cgroup.procs").write_text(str(process))
            except OSError as wrong:
                raise SystemExit(f"--share: {wrong}: control groups can be made by root only") from None

    def close(self) -> None:
        """Once the processes have ended."""
        for folder in self._folders:
            folder.rmdir()


def kilobytes(process: int) -> int:
    """The memory that a process holds now."""
    try:
        status = Path(f"/proc/{process}/status").read_text()
    except OSError:
        return 0
    return int(next((line for line in status.splitlines() if line.startswith("VmRSS")), "VmRSS: 0").split()[1])  # one that has ended holds nothing
