"""Compiling rules with Numba, and keeping the machine code on disk between runs.

Numba's own cache does not see that a *called* function changed, and two processes writing at once can mix up its index.
Here every compiled function is one file, named by a digest of everything its machine code depends on: its own code, the
code of all rules it calls, the constants they read, the argument types, the processor and the versions of the tools.
So an entry is never stale, needs no index (a file appears whole, by renaming), and lies in the user's cache folder, never
in the installed package. Who makes an entry holds a lock on it meanwhile, so that nobody else makes it too.

A process that can't wait (a server) lets others do the compiling (see `workshop`): with `interpret_meanwhile` a rule whose
machine code is not on disk yet runs as plain Python, and changes over at the first call after the code has appeared.
"""

from __future__ import annotations

import gc
import hashlib
import os
import pickle
import re
import sys
import tempfile
import time
import traceback
import types
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import partial
from pathlib import Path
from typing import Any

import llvmlite
import llvmlite.binding as llvm
import numba
import numpy as np
from numba.core import cgutils, compiler, serialize
from numba.core.caching import _Cache
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_lock import global_compiler_lock
from numba.core.dispatcher import OmittedArg
from numba.core.ir import Loc
from numba.core.registry import cpu_target
from platformdirs import user_cache_path

from hanpan.core.interpreted import plain

try:
    import fcntl
except ImportError:  # Windows: there an entry may be made twice at the same time, which costs time and nothing else
    fcntl = None  # type: ignore[assignment]

Job = tuple[Any, tuple[Any, ...]]  # a rule, and the types of its arguments

_FORMAT = 7  # of the entries; another number forgets them all
TOOLS = f"{_FORMAT} {sys.version_info[:2]} {numba.__version__} {llvmlite.__version__} {np.__version__}"
_SUM = hashlib.sha256().digest_size  # bytes before each entry, by which damage is seen
_KEPT_DAYS = 60


def cache_folder() -> Path:
    """Where compiled rules are kept: HANPAN_CACHE, or the user's cache folder, or a temporary one if that is not writable."""
    chosen = os.environ.get("HANPAN_CACHE")
    folder = Path(chosen) if chosen else user_cache_path("hanpan") / "compiled"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if os.access(folder, os.W_OK):
            return folder
    except OSError:
        if chosen:
            raise ValueError(f"HANPAN_CACHE={chosen!r}: this folder can't be made") from None
    if chosen:
        raise ValueError(f"HANPAN_CACHE={chosen!r}: this folder can't be written to")
    fallback = Path(tempfile.gettempdir()) / f"hanpan-compiled-{os.getuid() if hasattr(os, 'getuid') else 'user'}"
    try:
        fallback.mkdir(mode=0o700, exist_ok=True)
        about = fallback.lstat()
    except OSError:
        raise ValueError(f"{folder} can't be written to, and {fallback} can't be made: HANPAN_CACHE names another folder") from None
    if hasattr(os, "getuid") and (about.st_uid != os.getuid() or about.st_mode & 0o022):  # a link can be written by all
        raise ValueError(f"{fallback}: somebody else could put machine code there; HANPAN_CACHE names another folder")
    return fallback


def compile_rule(function: Callable[..., Any]) -> Any:
    """A Numba dispatcher for the function, with this module's cache."""
    # Rules allocate nothing, so counting references to their arrays would only cost time (a third of it, in small functions).
    dispatcher: Any = numba.njit(nogil=True, error_model="numpy", _nrt=False)(function)
    dispatcher._cache = _FileCache(function)
    dispatcher.compile = partial(_compile_once, dispatcher, dispatcher.compile)
    dispatcher._compile_for_args = partial(_first_call, dispatcher, dispatcher._compile_for_args)
    return dispatcher


def _compile_once(dispatcher: Any, compile_or_load: Callable[[Any], Any], types_: Any) -> Any:
    """Instead of the dispatcher's own `compile`: of several processes that want the same code, one makes it."""
    if types_ in dispatcher.overloads or dispatcher._cache.file(types_).exists():
        return compile_or_load(types_)
    with global_compiler_lock, alone(dispatcher._cache.file(types_)):  # in this order, as when one rule leads to the compiling of another
        return compile_or_load(types_)


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Hold the lock of a file in the cache folder; it is let go by whatever ends the process, too."""
    try:
        held = path.with_suffix(".lock").open("ab") if fcntl is not None else None
    except OSError:
        held = None
    if held is None:
        yield
        return
    with held:
        fcntl.flock(held, fcntl.LOCK_EX)
        try:
            yield
        finally:
            with suppress(OSError):  # who still waits for it finds the entry made
                os.unlink(held.name)


_meanwhile = False  # whether rules run as plain Python until their machine code is there
_gathered: ContextVar[list[Job] | None] = ContextVar("gathered", default=None)


def interpret_meanwhile(on: bool) -> None:
    """While someone else compiles: rules whose machine code is not there yet run as plain Python, and nothing is compiled in this process."""
    global _meanwhile
    _meanwhile = on


def _first_call(dispatcher: Any, compile_for_args: Callable[..., Any], *arguments: Any) -> Any:
    """Instead of the dispatcher's own `_compile_for_args`, which is asked for a function when there is none for these arguments yet."""
    if _meanwhile:
        types_ = tuple(numba.types.Omitted(a.value) if isinstance(a, OmittedArg) else dispatcher.typeof_pyval(a) for a in arguments)
        if types_ not in dispatcher.overloads and not dispatcher._cache.file(types_).exists():
            return partial(_run_plain, dispatcher)
    return compile_for_args(*arguments)


def _run_plain(dispatcher: Any, *arguments: Any) -> Any:
    twin = dispatcher.__dict__.get("plain_twin")
    if twin is None:
        twin = dispatcher.plain_twin = plain(dispatcher)
    return twin(*(a.value if isinstance(a, OmittedArg) else a for a in arguments))


def gather(work: Callable[[], object]) -> list[Job]:
    """What some work would have made ready; nothing is compiled."""
    jobs: list[Job] = []
    token = _gathered.set(jobs)
    try:
        work()
    finally:
        _gathered.reset(token)
    return jobs


def is_ready(job: Job) -> bool:
    """Whether the machine code is on disk."""
    function, types_ = job
    return bool(function._cache.file(types_).exists())


def reached(function: Any) -> Iterator[Any]:
    """A rule, and everything that it and the rules it calls read from outside: rules, tables, numbers."""
    seen: set[int] = set()
    waiting = [function]
    while waiting:
        value = waiting.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        yield value
        if (python := getattr(value, "py_func", None)) is not None:
            waiting += [python.__globals__[name] for name in python.__code__.co_names if name in python.__globals__]
            waiting += [cell.cell_contents for cell in python.__closure__ or ()]


def bulk(job: Job) -> int:
    """How much there is to compile: the size of the rule and of all rules it calls. The time goes roughly with it."""
    return sum(len(value.py_func.__code__.co_code) for value in reached(job[0]) if hasattr(value, "py_func"))


def digest(function: Callable[..., Any]) -> str:
    """A name for everything the machine code of a function depends on, apart from its argument types."""
    return _digest(function, {})


def _digest(function: Any, seen: dict[int, str]) -> str:
    function = getattr(function, "py_func", function)
    if id(function) in seen:
        return seen[id(function)]
    name = getattr(function, "rule_name", function.__qualname__)
    seen[id(function)] = f"itself:{name}"  # a recursive call
    parts = [TOOLS, name]
    _describe_code(function.__code__, function.__globals__, parts, seen)
    for cell in function.__closure__ or ():
        parts.append(_describe(cell.cell_contents, seen, ()))
    parts.append(repr(function.__defaults__))
    seen[id(function)] = hashlib.sha256("\n".join(parts).encode()).hexdigest()
    return seen[id(function)]


def _describe_code(code: types.CodeType, scope: dict[str, Any], parts: list[str], seen: dict[int, str]) -> None:
    parts.append(code.co_code.hex())
    parts.append(repr(code.co_names) + repr(code.co_varnames))
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            _describe_code(constant, scope, parts, seen)
        else:
            parts.append(repr(constant))
    for name in code.co_names:
        if name in scope:
            parts.append(f"{name}={_describe(scope[name], seen, code.co_names)}")


def _describe(value: Any, seen: dict[int, str], names: tuple[str, ...]) -> str:
    if hasattr(value, "py_func"):
        return _digest(value, seen)
    if isinstance(value, types.ModuleType):
        if value.__name__.partition(".")[0] in ("numpy", "numba", "math"):
            return value.__name__
        inside = [name for name in names if name in vars(value)]
        return value.__name__ + repr([_describe(vars(value)[name], seen, names) for name in inside])
    if isinstance(value, np.ndarray):
        return f"{value.dtype!r}{value.shape}{hashlib.sha256(np.ascontiguousarray(value).tobytes()).hexdigest()}"
    if isinstance(value, (tuple, list)):
        return repr([_describe(item, seen, names) for item in value])
    if isinstance(value, types.FunctionType):
        return _digest(value, seen)
    return repr(value)


class _Library(JITCodeLibrary):  # type: ignore[misc]  # Numba has no types here
    """What Numba makes of a rule, and what it told LLVM of it and of all it calls, before anything was made of that for this machine."""

    def __init__(self, codegen: Any, name: str) -> None:
        super().__init__(codegen, name)
        self.told: dict[bytes, None] = {}  # modules; who calls comes first

    def add_ir_module(self, made: Any) -> None:
        module = llvm.parse_assembly(_whole_alike(cgutils.normalize_ir_text(str(made))))
        module.name = made.name
        module.verify()
        self.add_llvm_module(module)

    def add_llvm_module(self, module: Any) -> None:
        raw = module.clone()
        for function in raw.functions:
            if not function.is_declaration and function.linkage == llvm.Linkage.external:
                function.linkage = "linkonce_odr"  # several rules may bring it
        self.told = {raw.as_bitcode(): None} | self.told
        super().add_llvm_module(module)

    def add_linking_library(self, library: Any) -> None:
        super().add_linking_library(library)
        self.told |= getattr(library, "told", None) or {library._get_module_for_linking().as_bitcode(): None}  # one that is no rule's may come from elsewhere


_WHOLE = re.compile(r"= fpto([su])i (double|float) (\S+) to (i\d+)$", re.MULTILINE)  # a number with a point becomes a whole one


def _whole_alike(text: str) -> str:
    """What does not fit into a whole number becomes the nearest that does, and NaN becomes 0; by itself each processor would make something else of it."""
    asked: set[str] = set()

    def alike(found: re.Match[str]) -> str:
        sign, of, value, to = found.groups()
        name = f"@llvm.fpto{sign}i.sat.{to}.{'f64' if of == 'double' else 'f32'}"
        asked.add(f"declare {to} {name}({of})")
        return f"= call {to} {name}({of} {value})"

    text = _WHOLE.sub(alike, text)
    return "\n".join([text, *sorted(asked)])


cpu_target.target_context.codegen()._library_class = _Library


class _FileCache(_Cache):  # type: ignore[misc]  # Numba has no types here
    """Numba's cache interface over one file an entry."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        self._digest = ""
        self._names: dict[Any, str] = {}

    @property
    def cache_path(self) -> str:
        return str(cache_folder())

    def enable(self) -> None:
        pass

    def disable(self) -> None:
        pass

    def flush(self) -> None:
        pass

    def file(self, signature: Any) -> Path:
        if signature not in self._names:
            self._digest = self._digest or digest(self._function)
            machine = cpu_target.target_context.codegen().magic_tuple()
            key = hashlib.sha256(repr((self._digest, str(signature), machine)).encode()).hexdigest()[:32]
            self._names[signature] = f"{self._function.__name__}-{key}.nbc"
        return cache_folder() / self._names[signature]

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        target_context.refresh()
        path = self.file(signature)
        # Numba names record types by a number that counts up in each process, so code that two processes compiled for two games could carry the same
        # symbol, and the second to be loaded would run the first. The entry's own name makes every symbol unique.
        self._function.__qualname__ = f"{self._function.rule_name}_{path.stem[-16:]}"  # type: ignore[attr-defined]
        try:
            content = path.read_bytes()
            if content[:_SUM] != hashlib.sha256(content[_SUM:]).digest():
                raise ValueError(f"{path} was damaged")  # machine code that is not what was made ends the process
            payload, told = pickle.loads(content[_SUM:])
            with suppress(OSError):  # somebody else's
                os.utime(path)
            made = compiler.CompileResult._rebuild(target_context, *payload)
            made.library.told = told
            return made
        except FileNotFoundError:
            return None
        except Exception:  # a damaged entry is the same as none
            with suppress(OSError):
                path.unlink()
            return None

    def save_overload(self, signature: Any, result: Any) -> None:
        path = self.file(signature)
        payload = serialize.dumps((result._reduce(), result.library.told))
        keep(path, hashlib.sha256(payload).digest() + payload)


def keep(path: Path, content: bytes) -> None:
    """Have a file in the cache folder: it appears whole, by renaming. A full or vanished disk costs speed at the next start, nothing else."""
    with suppress(OSError):
        file = tempfile.NamedTemporaryFile(dir=path.parent, prefix=path.stem, delete=False)  # noqa: SIM115  # it is renamed when it is closed
        try:
            with file:
                file.write(content)
            os.replace(file.name, path)
        except BaseException:  # a full disk is not filled with pieces, nor by Ctrl-C
            with suppress(OSError):
                os.unlink(file.name)
            raise
        _sweep(path.parent)


_swept = False


def _sweep(folder: Path) -> None:
    """Once a process that compiles: forget entries that nobody loaded for two months."""
    global _swept
    if _swept:
        return
    _swept = True
    limit = time.time() - _KEPT_DAYS * 86400
    for path in folder.iterdir():
        try:
            if path.stat().st_mtime < limit:
                path.unlink()
        except OSError:
            pass


class NotCompiled(RuntimeError):
    """A rule can't be compiled: where, and why, in a line. What Numba says of it stands behind it."""


_PLACES = re.compile(r"\bat (\S+\.py) \((\d+)\)|<function (\S+?)(?:_[0-9a-f]{16})? at 0x")  # as Numba names them


def why_not(function: Any, fault: Exception) -> str:
    """`FILE:LINE: `rule`: reason` for what kept a rule from being compiled: Numba tells its own way there, and of some faults no place at all."""
    said = [line.strip() for line in str(fault).splitlines() if line.strip() and not line.startswith("Failed in nopython mode")]
    reason = " ".join(said[: 2 if said and said[0].endswith(":") else 1])
    if not isinstance(fault, numba.core.errors.NumbaError):
        reason = f"{type(fault).__name__}: {reason}"
    rules = {id(value): value.py_func for value in reached(function) if hasattr(value, "py_func")}.values()
    for path, line, name in _PLACES.findall("\n".join([str(fault), *_ways(fault)])):  # the innermost first
        found = [rule for rule in rules if rule.rule_name == name or (rule.__code__.co_filename == path and rule.__code__.co_firstlineno <= int(line))]
        if found:
            rule = max(found, key=lambda rule: rule.__code__.co_firstlineno)
            return f"{rule.__code__.co_filename}:{line or rule.__code__.co_firstlineno}: `{rule.__name__}`: {reason[:300]}"
    return f"{function.py_func.__code__.co_filename}: `{function.py_func.__name__}`: {reason[:300]}"


def _ways(fault: BaseException) -> list[str]:
    """The places in rules that Numba was at, the last first."""
    frames = [frame for frame, _ in traceback.walk_tb(fault.__traceback__)]
    places = [getattr(frame.f_locals.get("self"), "loc", None) for frame in reversed(frames)]
    return [f"at {place.filename} ({place.line})" for place in places if isinstance(place, Loc)]


def signature(arguments: Sequence[Any]) -> tuple[Any, ...]:
    """The Numba types of example arguments."""
    return tuple(numba.typeof(argument) for argument in arguments)


def make_ready(title: str, jobs: Sequence[tuple[Any, tuple[Any, ...]]]) -> None:
    """Compile the given (rule, example arguments) now if any is not on disk yet, saying so and how far it is."""
    signed = [(function, signature(arguments)) for function, arguments in jobs if hasattr(function, "py_func")]
    gathered = _gathered.get()
    if gathered is not None:
        gathered += signed
        return
    missing = [] if _meanwhile else [job for job in signed if not is_ready(job)]
    if not missing:
        return
    began = time.monotonic()
    progress = _Progress(title, len(missing))
    for done, (function, types_) in enumerate(missing):
        progress.show(done, function.py_func.__name__)
        try:
            function.compile(types_)
        except Exception as fault:
            raise NotCompiled(f"{why_not(function, fault)} (HANPAN_INTERPRET=1 runs rules as plain Python)") from fault
    progress.end(time.monotonic() - began)
    gc.collect()  # compiling leaves much behind


class _Progress:
    """A line on stderr while rules are compiled; HANPAN_QUIET=1 silences it."""

    def __init__(self, title: str, total: int) -> None:
        self._title, self._total = title, total
        self._quiet = os.environ.get("HANPAN_QUIET", "") == "1"
        self._live = sys.stderr is not None and sys.stderr.isatty()

    def show(self, done: int, name: str) -> None:
        if self._quiet or sys.stderr is None:
            return
        text = f"hanpan: compiling {self._title} for this machine, once"
        if self._live:
            bar = "█" * (16 * done // self._total)
            sys.stderr.write(f"\r\033[K{text} [{bar:<16}] {done + 1}/{self._total} {name}")
        elif done == 0:
            sys.stderr.write(f"{text}: {self._total} function{'s' * (self._total > 1)}, some seconds …\n")
        sys.stderr.flush()

    def end(self, seconds: float) -> None:
        if self._quiet or sys.stderr is None:
            return
        sys.stderr.write(("\r\033[K" if self._live else "") + f"hanpan: {self._title} compiled in {seconds:.1f} s\n")
        sys.stderr.flush()
