"""What Python's syntax trees say: which names a function gives values to, and how they are called in JavaScript; and whether they are of what is loaded."""

from __future__ import annotations

import ast
import copy
import functools
import linecache
from collections.abc import Callable, Iterable
from types import CodeType
from typing import Any

_RESERVED = {
    "await", "break", "case", "catch", "class", "const", "continue", "debugger", "default", "delete", "do", "else", "enum", "export", "extends", "false",
    "finally", "for", "function", "if", "implements", "import", "in", "instanceof", "interface", "let", "new", "null", "package", "private", "protected",
    "public", "return", "static", "super", "switch", "this", "throw", "true", "try", "typeof", "var", "void", "while", "with", "yield", "py", "host",
    "undefined", "arguments", "eval",
}  # fmt: skip


def parameters(names: list[str], defaults: list[str]) -> str:
    """What a function takes, the last of them with what they are if nothing is given."""
    first = len(names) - len(defaults)
    return ", ".join(safe(one) + (f" = {defaults[at - first]}" if at >= first else "") for at, one in enumerate(names))


def once(target: ast.expr, kept: Callable[[ast.expr], str]) -> ast.expr:
    """What is assigned to, with names for those of its parts that might do something when they are read."""

    def still(part: ast.expr) -> ast.expr:
        calls = any(isinstance(one, (ast.Call, ast.NamedExpr, ast.Lambda)) for one in ast.walk(part))
        return ast.copy_location(ast.Name(kept(part), ast.Load()), part) if calls and not isinstance(part, ast.Slice) else part

    match target:
        case ast.Attribute(of, name):
            return ast.copy_location(ast.Attribute(still(of), name, ast.Store()), target)
        case ast.Subscript(of, index):
            return ast.copy_location(ast.Subscript(still(of), still(index), ast.Store()), target)
    return target


def safe(name: str) -> str:
    """A name of Python's that means nothing else in JavaScript."""
    return f"{name}$" if name in _RESERVED or name == "$" else name


def loaded(target: ast.expr) -> ast.expr:
    """What is assigned to, as something that is read."""
    copied: Any = copy.copy(target)
    copied.ctx = ast.Load()
    return copied  # type: ignore[no-any-return]


def own(body: Iterable[ast.AST]) -> Iterable[ast.AST]:
    """All that belongs to a function itself, and not to one within it."""
    for node in body:
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.Lambda, ast.GeneratorExp, ast.ListComp, ast.SetComp, ast.DictComp)):
            yield from own(ast.iter_child_nodes(node))


def assigned(body: Iterable[ast.stmt]) -> set[str]:
    """The names that a function's body gives values to; in a comprehension only those that are given with `:=`."""
    found: set[str] = set()
    for node in own(body):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, ast.FunctionDef) or (isinstance(node, ast.ExceptHandler) and node.name):
            found.add(str(node.name))
        elif isinstance(node, (ast.GeneratorExp, ast.ListComp, ast.SetComp, ast.DictComp)):
            found |= {part.target.id for part in ast.walk(node) if isinstance(part, ast.NamedExpr)}
    return found


def targets(target: ast.expr) -> set[str]:
    """The names in what is assigned to."""
    return {node.id for node in ast.walk(target) if isinstance(node, ast.Name)}


def is_of(code: CodeType, file: str) -> bool:
    """Whether a function is what a file says now; where there is no file, nobody can say otherwise."""
    linecache.checkcache(file)
    text = "".join(linecache.getlines(file))
    return not text or code in _codes(text, file)


@functools.lru_cache(32)
def _codes(text: str, file: str) -> list[CodeType]:
    """What Python makes of all functions in a file."""
    try:
        found = [compile(text, file, "exec", dont_inherit=True)]
    except SyntaxError:  # it is just being written
        return []
    for code in found:
        found += [inner for inner in code.co_consts if isinstance(inner, CodeType)]
    return found
