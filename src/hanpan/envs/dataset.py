"""Training sets: one row for every decision of finished games, in Parquet or NumPy files, packed as batches are.

| column | |
|---|---|
| game | the game's id |
| ply | how many actions, chance included, came before |
| seat | who decided |
| action | what was chosen, numbered from the mover's side |
| legal | uint32 words: the mask of legal actions, packed |
| planes, level | uint32 words and uint8: the mover's observation, packed |
| reward | how the game ended for that seat: 1 won, 0 drawn, below 0 lost |
| score | that seat's final score |
| rating | that seat's rating before the game; NaN if it was not rated |
| forced | the rules decided, not the player: time was up, or they had resigned |
| position | the mover's view as text |
"""

from __future__ import annotations

import json
import os
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from hanpan.core.extras import Missing, needed
from hanpan.core.planes import words
from hanpan.core.reading import read_json
from hanpan.core.rule import OPEN
from hanpan.envs import observations
from hanpan.game import Game, State, game
from hanpan.record import GameRecord

TYPES: dict[str, Any] = {
    "game": np.str_,
    "ply": np.int32,
    "seat": np.int8,
    "action": np.int32,
    "legal": np.uint32,
    "planes": np.uint32,
    "level": np.uint8,
    "reward": np.float32,
    "score": np.int32,
    "rating": np.float32,
    "forced": np.bool_,
    "position": np.str_,
}
FORMATS = (".parquet", ".npz")


@dataclass
class FinishedGame:
    """A finished game: its record, who won (it may have ended by resigning or by the clock), and the ratings before it."""

    id: str
    record: GameRecord
    winner: list[int]
    ratings: dict[int, float] = field(default_factory=dict)


def decisions(of: Game, finished: FinishedGame) -> Iterator[dict[str, Any]]:
    """The rows of one game."""
    book, name = of.book, of.name
    look, seen, size, out = observations.look(name), observations.seen_action(name), observations.shape(of), of.book.actions_buffer()
    s = of.start().record if finished.record.start is None else of.parse(finished.record.start).record
    scratch = s.copy()
    rows: list[dict[str, Any]] = []
    for ply, text in enumerate(finished.record.actions):
        seat = int(book.rules.mover(s[0]))
        if seat < 0:
            book.text.parse_chance(s[0], text)
            continue
        state = State(of, s.copy(), OPEN)
        action = state.actions[text] if text in state.actions else int(book.text.parse_action(s[0], text))
        legal = np.zeros(words(observations.actions(of)), np.uint32)
        for a in out[: book.rules.legal(s[0], out)]:
            number = int(seen(s[0], seat, int(a)))
            legal[number >> 5] |= np.uint32(1 << (number & 31))
        bits, level = np.zeros((1, size[0], words(size[1] * size[2])), np.uint32), np.ones((1, size[0]), np.uint8)
        look(s, scratch, scratch.view(np.uint32).reshape(1, -1), 0, seat, bits, level)
        row: dict[str, Any] = {
            "game": finished.id,
            "ply": ply,
            "seat": seat,
            "action": int(seen(s[0], seat, action)),
            "legal": legal,
            "planes": bits.reshape(-1),
        }
        row |= {"level": level.reshape(-1), "forced": ply in finished.record.forced, "position": str(state.view(seat))}
        rows.append(row)
        book.rules.apply(s[0], action)
    scores = State(of, s, OPEN).scores
    rewards = observations.rewards(finished.winner, of.seats)
    for row in rows:
        row["reward"] = rewards[row["seat"]]
        row["score"], row["rating"] = scores[row["seat"]], finished.ratings.get(row["seat"], float("nan"))
    yield from rows


def columns(rows: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """Rows as arrays."""
    listed = list(rows)
    return {key: np.array([row[key] for row in listed], kind) for key, kind in TYPES.items()}


class Dataset:
    """A training set in memory, with what is needed to unpack it."""

    def __init__(self, of: Game, data: dict[str, Any]) -> None:
        self.game, self.columns = of, data

    def __len__(self) -> int:
        return len(self.columns["ply"])

    def __getitem__(self, column: str) -> Any:
        return self.columns[column]

    def observations(self) -> Any:
        """uint8 [rows, planes, rows, columns]."""
        size = observations.shape(self.game)
        return observations.unpack(self["planes"].reshape(len(self), size[0], -1), self["level"], size)

    def masks(self) -> Any:
        """uint8 [rows, actions]."""
        n = observations.actions(self.game)
        return observations.unpack(self["legal"][:, None], np.ones((len(self), 1), np.uint8), (1, 1, n)).reshape(len(self), n)


def check_format(path: Path) -> Path:
    """The path itself, if its name says a format that can be read and written here."""
    if path.suffix not in FORMATS:
        raise ValueError(f"{path}: the name of a training set ends in {' or '.join(FORMATS)}")
    if path.suffix == ".parquet":
        _pyarrow()
    return path


def _pyarrow() -> Any:
    """The library for Parquet files."""
    with needed("Parquet", "hanpan[parquet]"):
        import pyarrow
        import pyarrow.parquet
    return pyarrow


def save(path: Path, of: Game, data: dict[str, Any]) -> None:
    """Write a training set; the file appears whole or not at all."""
    part = check_format(path).with_name(f"{path.name}.part")
    head = json.dumps({"game": of.name, "options": of.options})
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".npz":
            with part.open("wb") as file:
                np.savez_compressed(file, hanpan=np.array(head), **data)
        else:
            _write_parquet(part, head, data)
        os.replace(part, path)
    except OSError as wrong:
        with suppress(OSError):
            part.unlink()
        raise ValueError(f"{path}: can't be written ({wrong.strerror or wrong})") from None


def _write_parquet(part: Path, head: str, data: dict[str, Any]) -> None:
    pyarrow, arrays = _pyarrow(), {}
    for key, array in data.items():
        flat = pyarrow.array(array.reshape(-1))
        arrays[key] = flat if array.ndim == 1 else pyarrow.FixedSizeListArray.from_arrays(flat, array.shape[1])
    pyarrow.parquet.write_table(pyarrow.table(arrays).replace_schema_metadata({"hanpan": head}), part, compression="zstd")


def load(path: str | Path) -> Dataset:
    """Read a training set: a file, or a folder of files that belong together."""
    where = Path(path)
    if where.suffix not in FORMATS and not where.exists():
        raise ValueError(f"{where}: there is no such file or folder")
    files = sorted(file for file in where.iterdir() if file.suffix in FORMATS) if where.is_dir() else [check_format(where)]
    if not files:
        raise ValueError(f"{where}: no training set is in this folder")
    parts = [_read(file) for file in files]
    if any(head != parts[0][0] for head, _ in parts):
        raise ValueError(f"{where}: its files are of different games or options")
    try:
        head = read_json(parts[0][0])
        table = game(head["game"], **head["options"])
        data = {key: np.concatenate([part[key] for _, part in parts]) for key in TYPES}
    except (KeyError, TypeError, ValueError) as wrong:
        raise ValueError(f"{where}: not a training set ({wrong})") from None
    for key, shape in _shapes(table, len(data["ply"])).items():
        if data[key].shape != shape or data[key].dtype.kind != np.dtype(TYPES[key]).kind:
            raise ValueError(f"{where}: not a training set of {table!r} ({key} is {data[key].dtype} {list(data[key].shape)})")
    return Dataset(table, data)


def _shapes(table: Game, rows: int) -> dict[str, tuple[int, ...]]:
    """What shape each column of so many rows has."""
    planes, height, width = observations.shape(table)
    wide = {"legal": words(observations.actions(table)), "planes": planes * words(height * width), "level": planes}
    return {key: (rows, wide[key]) if key in wide else (rows,) for key in TYPES}


def _read(path: Path) -> tuple[str, dict[str, Any]]:
    try:
        if path.suffix == ".npz":
            with np.load(path, allow_pickle=False) as file:
                return str(file["hanpan"]), {key: file[key] for key in TYPES}
        table = _pyarrow().parquet.read_table(path)
        head = table.schema.metadata[b"hanpan"].decode()
        data = {}
        for key, kind in TYPES.items():
            column = table[key].combine_chunks()
            wide = hasattr(column.type, "list_size")
            flat = np.array((column.flatten() if wide else column).to_numpy(zero_copy_only=False), kind)
            data[key] = flat.reshape(len(table), -1) if wide else flat
        return head, data
    except Missing:
        raise
    except FileNotFoundError:
        raise ValueError(f"{path}: there is no such file") from None
    except (KeyError, TypeError, OSError, ValueError, EOFError, RuntimeError, zipfile.BadZipFile, zlib.error) as wrong:  # as damaged files fail
        raise ValueError(f"{path}: not a training set ({wrong})") from None
