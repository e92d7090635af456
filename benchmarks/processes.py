"""What a process on this machine has used so far."""

import os
from pathlib import Path


def cpu(process: int) -> float:
    """Seconds of processor time that a process and its threads have used."""
    words = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def kilobytes(process: int) -> int:
    """The memory that a process holds now."""
    status = Path(f"/proc/{process}/status").read_text()
    return int(next((line for line in status.splitlines() if line.startswith("VmRSS")), "VmRSS: 0").split()[1])  # one that has ended holds nothing
