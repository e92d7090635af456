"""Batched environments on a GPU: checked against the processor action for action, then measured.

    pip install -e '.[cuda]'
    python benchmarks/envs_gpu.py [GAME…] [--most 20] [--seconds 1.0] [--json FILE]

1. For each game 1,024 games are stepped 200 times on both machines with the same random actions: records, masks, observations, seats to act,
   rewards, scores and ends are compared byte for byte, and so are the actions that each machine draws by itself.
2. torch, CuPy and JAX, where they are installed, take masks and observations: at the same address, so without a copy; and actions come back from them.
3. Steps/s for batches of 2^10 … 2^20 games, where a step is: draw a random legal action, play it (chance, ends and new beginnings included), unpack the
   mask of legal actions and the observation as bytes. Everything stays on the device. `step` alone and each part are measured too.
4. Bytes that a step has to read and write at least (every array once), times steps/s, as a share of the memory bandwidth that a plain copy reaches here.
"""

from __future__ import annotations

import argparse
import json
import time

import numpy as np

from hanpan.envs import Batch, batch

if not hasattr(np, "row_stack"):
    np.row_stack = np.vstack  # type: ignore[attr-defined]  # numba-cuda 0.30 still looks for it
from numba import cuda

GAMES = {"kulami": {}, "reversedrop": {}, "puoribor": {}, "wallgo": {}, "goita": {}}
AIMS = {"kulami": 100e6, "reversedrop": 100e6, "puoribor": 20e6, "wallgo": 20e6}
SAMPLE, STEPS = 1024, 200


def same(name: str, step: int, what: str, on_gpu, on_cpu) -> None:  # type: ignore[no-untyped-def]
    found = on_gpu.copy_to_host()
    if found.tobytes() != np.ascontiguousarray(on_cpu).tobytes():
        rows = [i for i in range(SAMPLE) if found[i].tobytes() != on_cpu[i].tobytes()]
        raise SystemExit(f"{name}: step {step}: {what} of {len(rows)} games differ, first in game {rows[0]}:\nGPU {found[rows[0]]}\nCPU {on_cpu[rows[0]]}")


def compare(name: str) -> tuple[int, int, float]:
    """Positions compared, games ended, seconds until the kernels were compiled."""
    began = time.perf_counter()
    gpu, cpu = batch(name, n=SAMPLE, seed=3, device="cuda", **GAMES[name]), batch(name, n=SAMPLE, seed=3, **GAMES[name])
    gpu.observe(), gpu.legal_mask()
    compiled, ended = 0.0, 0
    for step in range(STEPS):
        same(name, step, "records", gpu.states, cpu.states)
        same(name, step, "masks", gpu.legal_mask(), cpu.legal_mask())
        same(name, step, "observations", gpu.observe(), cpu.observe())
        actions = cpu.random_actions()
        same(name, step, "random actions", gpu.random_actions(), actions)
        gpu.step(actions)
        cpu.step(actions)
        for what in ("turn", "rewards", "scores", "done", "refused"):
            same(name, step, what, getattr(gpu, what), getattr(cpu, what))
        ended += int(cpu.done.sum())
        compiled = compiled or time.perf_counter() - began
    return SAMPLE * STEPS, ended, compiled


def torch_plays(planes, mask):  # type: ignore[no-untyped-def]
    """Addresses that torch sees, and random legal actions."""
    import torch

    seen, allowed = torch.as_tensor(planes, device="cuda"), torch.as_tensor(mask, device="cuda")
    return (seen.data_ptr(), allowed.data_ptr()), torch.multinomial(allowed.float(), 1).squeeze(1)


def cupy_plays(planes, mask):  # type: ignore[no-untyped-def]
    """Addresses that CuPy sees, and the first legal actions."""
    import cupy

    seen, allowed = cupy.asarray(planes), cupy.asarray(mask)
    return (seen.data.ptr, allowed.data.ptr), allowed.argmax(axis=1)


def jax_plays(planes, mask):  # type: ignore[no-untyped-def]
    """Addresses that JAX sees (through DLPack, which CuPy speaks), and the first legal actions."""
    import cupy
    import jax

    seen, allowed = jax.dlpack.from_dlpack(cupy.asarray(planes)), jax.dlpack.from_dlpack(cupy.asarray(mask))
    return (seen.unsafe_buffer_pointer(), allowed.unsafe_buffer_pointer()), jax.block_until_ready(allowed.argmax(axis=1))


def shared() -> dict[str, str]:
    """What each library makes of the arrays of a batch that it plays for 100 steps."""
    said = {}
    for name, play in {"torch": torch_plays, "CuPy": cupy_plays, "JAX": jax_plays}.items():
        try:
            env = batch("kulami", n=SAMPLE, seed=1, device="cuda")
            for _ in range(100):
                planes, mask = env.observe(), env.legal_mask()
                addresses, actions = play(planes, mask)
                if addresses != tuple(array.__cuda_array_interface__["data"][0] for array in (planes, mask)):
                    raise SystemExit(f"{name} made a copy")
                env.step(actions)
            said[name] = "100 steps, no copy"
        except ImportError:
            said[name] = "not installed"
    return said


def rate(work, seconds: float) -> float:  # type: ignore[no-untyped-def]
    """How often a second the work is done, from events on the device: best of three."""
    work()
    cuda.synchronize()
    began = time.perf_counter()
    work()
    cuda.synchronize()
    times = max(1, min(2000, int(seconds / 3 / max(time.perf_counter() - began, 1e-6))))
    best = float("inf")
    for _ in range(3):
        first, last = cuda.event(), cuda.event()
        first.record()
        for _ in range(times):
            work()
        last.record()
        last.synchronize()
        best = min(best, cuda.event_elapsed_time(first, last) / 1000 / times)
    return 1 / best


def copy_bandwidth() -> float:
    """Bytes read and written a second by a plain copy on this device."""
    size = 1 << 30
    one, other = cuda.device_array(size, np.uint8), cuda.device_array(size, np.uint8)
    return rate(lambda: other.copy_to_device(one), 1.0) * 2 * size


def least_bytes(env: Batch) -> int:
    """What one step with mask and observation has to move for one game: its record three times (in, out, looked at), all else as often as it is touched."""
    record = env.states.dtype.itemsize
    packed = 4 * (env.packed_legal.shape[1] * 3 + env.packed_planes.shape[1] * env.packed_planes.shape[2] * 2)  # chosen from, written, unpacked
    return 3 * record + packed + 2 * env.shape[0] + env.actions + int(np.prod(env.shape)) + 2 * 24 + 4 * env.seats + 12


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("names", nargs="*", default=list(GAMES))
    words.add_argument("--most", type=int, default=20, help="the largest batch is 2 to this power")
    words.add_argument("--seconds", type=float, default=1.0)
    words.add_argument("--json", metavar="FILE")
    given = words.parse_args()
    device = cuda.get_current_device()
    name = device.name.decode() if isinstance(device.name, bytes) else device.name
    bandwidth = copy_bandwidth()
    print(f"{name}, a plain copy moves {bandwidth / 1e12:.2f} TB/s\n", flush=True)
    report: dict[str, object] = {"device": name, "copy_bytes_per_second": bandwidth, "games": {}}

    print("## The same games as on the processor\n\n| game | positions equal | games ended | first step compiled in |\n|---|---:|---:|---:|", flush=True)
    for game in given.names:
        positions, ended, compiled = compare(game)
        report["games"][game] = {"equal": positions, "ended": ended, "compile_seconds": compiled, "batches": {}}  # type: ignore[index]
        print(f"| {game} | {positions:,} | {ended:,} | {compiled:.0f} s |", flush=True)

    report["shared"] = said = shared()
    print("\n## Shared with\n\n" + "\n".join(f"- {library}: {what}" for library, what in said.items()), flush=True)
    print("\n## Steps a second with mask and observation on the device\n")
    print(
        "| game | batch | steps/s | of the bandwidth | bytes a step | rules alone | draw | play | mask | look | unpack | aim |\n"
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|",
        flush=True,
    )
    for game in given.names:
        for power in range(10, given.most + 1, 2):
            env = batch(game, n=1 << power, seed=1, device="cuda", check=False, **GAMES[game])
            machine = env._machine

            def whole(env: Batch = env) -> None:
                env.step(env.random_actions())
                env.legal_mask()
                env.observe()

            def rules(env: Batch = env) -> None:
                env.step(env.random_actions())

            for _ in range(40):  # games are in their middle when the clock runs
                rules()
            look = (env.states, env._scratch, env._raw, env.turn, env.packed_planes, env.levels)
            parts = {
                "steps": rate(whole, given.seconds) * env.n,
                "rules": rate(rules, given.seconds) * env.n,
                "draw": rate(env.random_actions, given.seconds / 3) * env.n,
                "mask": rate(env.legal_mask, given.seconds / 3) * env.n,
                "look": rate(lambda m=machine, e=env, a=look: m.look(e.n, *a), given.seconds / 3) * env.n,  # type: ignore[misc]
                "unpack": rate(lambda m=machine, e=env: m.spread(*e._flat), given.seconds / 3) * env.n,  # type: ignore[misc]
            }
            parts["play"] = 1 / (1 / parts["rules"] - 1 / parts["draw"])
            least = least_bytes(env)
            share = parts["steps"] * least / bandwidth
            refused = int(env.refused.copy_to_host().sum())
            if refused:
                raise SystemExit(f"{game}: {refused} actions were refused")
            report["games"][game]["batches"][env.n] = {**parts, "bytes": least, "share": share}  # type: ignore[index]
            aim = AIMS.get(game)
            print(
                f"| {game} | {env.n:,} | {parts['steps']:,.0f} | {share:.1%} | {least:,} | "
                + " | ".join(f"{parts[part] / 1e6:,.1f} M" for part in ("rules", "draw", "play", "mask", "look", "unpack"))
                + f" | {'' if aim is None else ('reached' if parts['steps'] >= aim else 'missed') + f' (≥ {aim / 1e6:.0f} M)'} |",
                flush=True,
            )
            del env, machine
    if given.json:
        with open(given.json, "w", encoding="utf-8") as file:
            json.dump(report, file, indent=1)


if __name__ == "__main__":
    main()
