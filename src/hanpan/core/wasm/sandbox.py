"""Running a module of rules inside Python, in a memory of its own: it can reach nothing else."""

from __future__ import annotations

import ctypes
import json
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

from hanpan.core.extras import needed
from hanpan.core.wasm.link import PAGE, note

_ALIGNED = 16


class Sandbox:
    """A module with so much memory. Arrays that its rules work on lie in there: `room` makes them."""

    def __init__(self, module: bytes, megabytes: float = 1) -> None:
        with needed("a sandbox", "hanpan[wasm]"):
            wasmtime: Any = import_module("wasmtime")
        self._told: dict[str, Any] = json.loads(note(module))
        self._store = wasmtime.Store(wasmtime.Engine())
        self._exports = wasmtime.Instance(self._store, wasmtime.Module(self._store.engine, module), []).exports(self._store)
        memory, self._free = self._exports["memory"], int(self._exports["heap"].value(self._store))
        self._end = self._free + int(megabytes * (1 << 20))
        memory.grow(self._store, max(0, -(-self._end // PAGE) - memory.size(self._store)))
        self._base = ctypes.addressof(memory.data_ptr(self._store).contents)
        self._answer = self.room(8, np.int64)  # of rules that return several numbers

    @property
    def rules(self) -> list[str]:
        """The names of the rules."""
        return list(self._told)

    def room(self, shape: int | tuple[int, ...], kind: Any) -> Any:
        """An array of zeros in the sandbox; MemoryError when it is full."""
        dtype = np.dtype(kind)
        size = int(np.prod(shape)) * dtype.itemsize
        if self._free + size > self._end:
            raise MemoryError(f"the sandbox has no room for {size} bytes more")
        seen = (ctypes.c_uint8 * size).from_address(self._base + self._free)
        seen._sandbox = self  # as long as someone holds the array, its memory stays
        self._free = -(-(self._free + size) // _ALIGNED) * _ALIGNED
        return np.frombuffer(seen, np.uint8).view(dtype).reshape(shape)

    def copy(self, array: Any) -> Any:
        """An array like a given one, in the sandbox."""
        made = self.room(array.shape, array.dtype)
        made[...] = array
        return made

    def rule(self, name: str) -> Callable[..., Any]:
        """A rule of the module, to be called as the compiled one is, with arrays and records that lie in the sandbox."""
        if name not in self._told:
            raise ValueError(f"rule: {name!r} is not one of {', '.join(self._told)}")
        function, takes, gives = self._exports[name], self._told[name]["takes"], self._told[name]["gives"]

        def called(*arguments: Any) -> Any:
            handed: list[Any] = []
            for kind, argument in zip(takes, arguments, strict=True):
                handed += self._handed(kind, argument)
            if not isinstance(gives, list):
                answer = function(self._store, *handed)
                return bool(answer) if gives == "bool" else answer
            function(self._store, *handed, self._address(self._answer))
            return tuple(self._answer[: len(gives)].tolist())

        return called

    def _handed(self, kind: str, argument: Any) -> list[Any]:
        if kind in ("int", "bool"):
            return [int(argument)]
        if kind == "float":
            return [float(argument)]
        return [self._address(argument), *(argument.shape if kind.startswith("array") else ())]

    def holds(self, held: Any) -> bool:
        """Whether an array or a record lies in the sandbox."""
        return bool(self._base <= int(held.__array_interface__["data"][0]) <= self._base + self._end - held.nbytes)

    def _address(self, held: Any) -> int:
        if not self.holds(held) or (isinstance(held, np.ndarray) and not held.flags.c_contiguous):
            raise ValueError("this array does not lie in the sandbox, its items close together: make it with `room` or `copy`")
        return int(held.__array_interface__["data"][0]) - self._base
