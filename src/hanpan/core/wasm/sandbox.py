"""Running a module of rules inside Python, in a memory of its own: it can reach nothing else, whoever has made it."""

from __future__ import annotations

import ctypes
import json
import math
import operator
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

from hanpan.core.extras import needed
from hanpan.core.reading import quoted
from hanpan.core.wasm.link import PAGE, Unlinkable, note

_ALIGNED = 16
_MOST_GIVEN = 8  # numbers that a rule gives back together
_MOST = 4096  # megabytes that have addresses
_OWN = 64 << 20  # bytes that a module may want for its stack and its tables
_NUMBERS = ("int", "bool", "float")


class Stopped(RuntimeError):
    """A rule of a module was stopped: it did what can't be done, or it took more steps than it was given."""


class Sandbox:
    """A module with so much memory. Arrays that its rules work on lie in there: `room` makes them.

    steps: how many instructions of WebAssembly a call may take at most (about a billion a second); without it an endless loop is endless.
    """

    def __init__(self, module: bytes, megabytes: float = 1, steps: int | None = None) -> None:
        with needed("a sandbox", "hanpan[wasm]"):
            self._wasmtime: Any = import_module("wasmtime")
        if not isinstance(module, (bytes, bytearray, memoryview)):
            raise TypeError(f"module: {quoted(module)} is not the bytes of a module")
        if isinstance(megabytes, bool) or not isinstance(megabytes, (int, float)) or not 0 < megabytes <= _MOST:
            raise ValueError(f"megabytes: {quoted(megabytes)} is not a number above 0, {_MOST} at most")
        if steps is not None and (isinstance(steps, bool) or not isinstance(steps, int) or not 0 < steps < 1 << 63):
            raise ValueError(f"steps: {quoted(steps)} is not a whole number from 1 on")
        self._told, self._steps = _told(note(bytes(module))), steps
        config = self._wasmtime.Config()
        config.consume_fuel = steps is not None
        self._store = self._wasmtime.Store(self._wasmtime.Engine(config))
        self._exports = self._loaded(bytes(module), int(megabytes * (1 << 20)) + _OWN)
        memory, self._free = self._exported("memory", "Memory"), self._heap()
        self._end = self._free + int(megabytes * (1 << 20))
        try:
            memory.grow(self._store, max(0, -(-self._end // PAGE) - memory.size(self._store)))
        except self._wasmtime.WasmtimeError:
            raise MemoryError(f"megabytes: {megabytes} can't be had") from None
        self._store.set_limits(memory_size=memory.data_len(self._store))  # so it stays where it is
        self._base = ctypes.addressof(memory.data_ptr(self._store).contents)
        for name, told in self._told.items():
            self._check(name, told)
        self._answer = self.room(_MOST_GIVEN, np.int64)  # of rules that return several numbers

    def _loaded(self, module: bytes, most: int) -> Any:
        self._store.set_limits(memory_size=most)
        self._give_steps()
        try:
            return self._wasmtime.Instance(self._store, self._wasmtime.Module(self._store.engine, module), []).exports(self._store)
        except self._wasmtime.Trap as trap:
            raise self._stopped("the module's start", trap) from None
        except self._wasmtime.WasmtimeError as wrong:
            raise Unlinkable(f"this module can't be loaded: {' '.join(str(wrong).split())[:300]}") from None

    def _exported(self, name: str, kind: str) -> Any:
        found = self._exports.get(name)
        if not isinstance(found, getattr(self._wasmtime, kind)):
            raise Unlinkable(f"this module exports no {kind.lower()} {name!r}")
        return found

    def _heap(self) -> int:
        """Where its memory is free: behind whatever is its own, inside what it has."""
        heap = self._exported("heap", "Global").value(self._store)
        if not isinstance(heap, int) or not 0 <= heap <= self._exports["memory"].data_len(self._store):
            raise Unlinkable(f"this module says that its memory is free from {heap} on, which is not in it")
        return heap

    def _check(self, name: str, told: Any) -> None:
        """That a rule can be called as the note says."""
        function = self._exported(name, "Func").type(self._store)
        wanted: list[str] = []
        for kind, of in zip(told["takes"], told["of"], strict=True):
            number = "f64" if kind == "float" else "i64" if of[1:] == "8" else "i32"
            wanted += [number] if kind in _NUMBERS else ["i32"] * (1 + _extents(kind))
        several = isinstance(told["gives"], list)
        given = [] if several or told["gives"] == "nothing" else ["f64" if told["gives"] == "float" else "i64"]
        if [str(one) for one in function.params] != wanted + ["i32"] * several or [str(one) for one in function.results] != given:
            raise Unlinkable(f"this module's rule {name!r} is not what its note says")

    @property
    def rules(self) -> list[str]:
        """The names of the rules."""
        return list(self._told)

    def room(self, shape: int | tuple[int, ...], kind: Any) -> Any:
        """An array of zeros in the sandbox; MemoryError when it is full."""
        dtype, extents = np.dtype(kind), _shape(shape)
        if dtype.hasobject or not dtype.itemsize:
            raise ValueError(f"kind: {quoted(kind)} is nothing that lies in a memory")
        size = math.prod(extents) * dtype.itemsize
        if self._free + size > self._end:
            raise MemoryError(f"the sandbox has no room for {size} bytes more")
        seen = (ctypes.c_uint8 * size).from_address(self._base + self._free)
        seen._sandbox = self  # as long as someone holds the array, its memory stays
        self._free = -(-(self._free + size) // _ALIGNED) * _ALIGNED
        made = np.frombuffer(seen, np.uint8)
        made[:] = 0  # the module can have written there
        return made.view(dtype).reshape(extents)

    def copy(self, array: Any) -> Any:
        """An array like a given one, in the sandbox."""
        if not isinstance(array, (np.ndarray, np.void)):
            raise TypeError(f"array: {quoted(array)} is no array of NumPy's")
        made = self.room(array.shape, array.dtype)
        made[...] = array
        return made

    def rule(self, name: str) -> Callable[..., Any]:
        """A rule of the module, to be called as the compiled one is, with arrays and records that lie in the sandbox. Stopped, if it had to be stopped."""
        if name not in self._told:
            raise ValueError(f"rule: {name!r} is not one of {', '.join(self._told)}")
        function, takes, of, gives = self._exports[name], *(self._told[name][key] for key in ("takes", "of", "gives"))

        def called(*arguments: Any) -> Any:
            if len(arguments) != len(takes):
                raise TypeError(f"{name}: takes {len(takes)} arguments ({', '.join(takes)}), not {len(arguments)}")
            handed: list[Any] = []
            for at, (kind, items, argument) in enumerate(zip(takes, of, arguments, strict=True), 1):
                try:
                    handed += self._handed(kind, items, argument)
                except (TypeError, ValueError) as wrong:
                    raise type(wrong)(f"{name}: argument {at}: {wrong}") from None
            if isinstance(gives, list):
                self._run(name, function, [*handed, self._address(self._answer)])
                return tuple(self._answer[: len(gives)].tolist())
            answer = self._run(name, function, handed)
            return bool(answer) if gives == "bool" else answer

        return called

    def _run(self, name: str, function: Any, handed: list[Any]) -> Any:
        self._give_steps()
        try:
            return function(self._store, *handed)
        except self._wasmtime.Trap as trap:
            raise self._stopped(name, trap) from None

    def _give_steps(self) -> None:
        if self._steps is not None:
            self._store.set_fuel(self._steps)

    def _stopped(self, what: str, trap: Any) -> Stopped:
        if self._steps is not None and not self._store.get_fuel():
            return Stopped(f"{what}: took more than the {self._steps} steps that it was given")
        return Stopped(f"{what}: {str(trap).strip().splitlines()[-1].strip().removeprefix('wasm trap: ')}")

    def _handed(self, kind: str, of: str, argument: Any) -> list[Any]:
        if kind == "float":
            return [float(argument)]
        if kind in _NUMBERS:
            number, bits = _whole(argument), 8 * int(of[1:])
            low, high = (0, (1 << bits) - 1) if of[0] in "ub" else (-(1 << bits - 1), (1 << bits - 1) - 1)
            if not low <= number <= high:
                raise ValueError(f"{quoted(argument)} does not fit into {bits} bits")
            return [number]
        address, found = self._address(argument), _called(argument.ndim, f"{argument.dtype.kind}{argument.dtype.itemsize}")
        if found != (wanted := _called(_extents(kind), of)):
            raise ValueError(f"it is {found}, and should be {wanted}")
        return [address, *argument.shape]

    def holds(self, held: Any) -> bool:
        """Whether an array or a record lies in the sandbox."""
        return bool(self._base <= int(held.__array_interface__["data"][0]) <= self._base + self._end - held.nbytes)

    def _address(self, held: Any) -> int:
        inside = isinstance(held, (np.ndarray, np.void)) and self.holds(held)
        if not inside or (isinstance(held, np.ndarray) and not held.flags.c_contiguous):
            raise ValueError("this array does not lie in the sandbox, its items close together: make it with `room` or `copy`")
        return int(held.__array_interface__["data"][0]) - self._base


def _extents(kind: str) -> int:
    return int(kind.removeprefix("array")) if kind.startswith("array") else 0


def _called(extents: int, of: str) -> str:
    return f"an array{extents} of {of}" if extents else f"a record of {of[1:]} bytes"


def _whole(value: Any) -> int:
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"{quoted(value)} is no whole number") from None


def _shape(shape: Any) -> tuple[int, ...]:
    try:
        extents = tuple(map(operator.index, shape)) if isinstance(shape, tuple) else (operator.index(shape),)
    except TypeError:
        extents = (-1,)
    if any(extent < 0 for extent in extents):
        raise ValueError(f"shape: {quoted(shape)} is not a whole number from 0 on, or several of them")
    return extents


def _told(written: bytes) -> dict[str, Any]:
    """What the note says of each rule; Unlinkable if it does not say it."""
    try:
        told = json.loads(written)
        sound = isinstance(told, dict) and all(map(_is_sound, told.values()))
    except (ValueError, RecursionError):
        sound = False
    if not sound:
        raise Unlinkable("this module's note does not say how its rules are called")
    return told  # type: ignore[no-any-return]


def _is_sound(rule: Any) -> bool:
    takes, of, gives = (rule.get(key) if isinstance(rule, dict) else None for key in ("takes", "of", "gives"))
    if not isinstance(takes, list) or not isinstance(of, list) or len(takes) != len(of) or not all(map(_is_kind, takes, of)):
        return False
    if isinstance(gives, str):
        return gives in (*_NUMBERS, "nothing")
    return isinstance(gives, list) and len(gives) <= _MOST_GIVEN and all(one in ("int", "bool") for one in gives)


def _is_kind(kind: Any, of: Any) -> bool:
    if not isinstance(kind, str) or not isinstance(of, str) or of[:1] not in (*"iufbV",) or not of[1:].isdecimal() or not of.isascii() or len(of) > 9:
        return False
    if kind in ("int", "bool"):
        return of in ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "b1")
    return (kind == "float" and of == "f8") or (kind == "record" and of[0] == "V") or kind in ("array1", "array2", "array3", "array4")
