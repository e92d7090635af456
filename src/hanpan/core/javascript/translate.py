"""Functions of Python as functions of JavaScript, and everything that they call or read.

A function's free names are looked up as Python would: another function is translated too, a value is written down, a module is looked into. Whole numbers
become BigInt, so that sets of a hundred bits stay what they are; what an operator does is decided by the runtime, by what it is given.
"""

from __future__ import annotations

import ast
import builtins
import functools
import inspect
import json
import textwrap
from collections.abc import Callable, Iterable, Mapping
from types import FunctionType, ModuleType
from typing import Any

from hanpan.core.javascript.values import Untranslatable, known, literal

_RESERVED = {
    "await", "break", "case", "catch", "class", "const", "continue", "debugger", "default", "delete", "do", "else", "enum", "export", "extends", "false",
    "finally", "for", "function", "if", "implements", "import", "in", "instanceof", "interface", "let", "new", "null", "package", "private", "protected",
    "public", "return", "static", "super", "switch", "this", "throw", "true", "try", "typeof", "var", "void", "while", "with", "yield", "py", "host",
    "undefined", "arguments", "eval",
}  # fmt: skip
_BINARY: dict[type, str] = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "div", ast.FloorDiv: "floordiv", ast.Mod: "mod", ast.Pow: "pow",
    ast.LShift: "shl", ast.RShift: "shr", ast.BitOr: "or_", ast.BitAnd: "and_", ast.BitXor: "xor",
}  # fmt: skip
_COMPARED: dict[type, str] = {
    ast.Eq: "eq({}, {})", ast.NotEq: "!py.eq({}, {})", ast.Lt: "lt({}, {})", ast.LtE: "!py.lt({1}, {0})", ast.Gt: "lt({1}, {0})", ast.GtE: "!py.lt({}, {})",
    ast.In: "has({1}, {0})", ast.NotIn: "!py.has({1}, {0})", ast.Is: "is({}, {})", ast.IsNot: "!py.is({}, {})",
}  # fmt: skip


class Script:
    """A JavaScript text that grows with every function that is asked for."""

    def __init__(self, hosted: Mapping[str, Any] | None = None) -> None:
        sources = {name: _source_of(function) for name, function in (hosted or {}).items()}
        self._hosted = {source.__code__: name for name, source in sources.items() if source is not None}  # who else runs them: `host.<name>`
        self._names: dict[int, str] = {}
        self._taken: set[str] = set()
        self._kept: list[Any] = []  # whatever has a name stays alive, so that no other thing gets its id
        self.lines: list[str] = []

    def text(self, exported: Mapping[str, Any]) -> str:
        """A module whose default export makes the given things, from the runtime and whoever runs what is hosted."""
        made = self.object(exported)
        return "export default (py, host) => {\n" + "\n".join(self.lines) + f"\nreturn {made};\n}};\n"

    def object(self, given: Mapping[str, Any]) -> str:
        """An object with a member for each; what is an object itself may be given as such a mapping."""
        members = (f"{json.dumps(name)}: {self.object(one) if isinstance(one, dict) else self.value(one)}" for name, one in given.items())
        return "{" + ", ".join(members) + "}"

    def value(self, value: Any) -> str:
        """What stands for a value: its name, or itself where it is short."""
        short = known(value)
        if short is not None:
            return short
        source = _source_of(value)
        if source is None and not isinstance(value, type):
            written = literal(value, self.value)
            return written if len(written) < 24 else self._named(value, _title(value), lambda name: f"const {name} = {written};")
        if source is not None:
            if source.__code__ in self._hosted:
                return f"host.{self._hosted[source.__code__]}"
            title = f"{source.__globals__['__name__'].rpartition('.')[2]}_{source.__name__}"
            # the interpreted twin of a rule (see `plain`) is another function of the same text
            kept = isinstance(value, functools._lru_cache_wrapper)
            return self._named(source if source.__closure__ else source.__code__, title, lambda name: Function(self, source).text(name, kept))
        return self._named(value, value.__name__, lambda name: f"const {name} = {literal(value, self.value)};")

    def _named(self, thing: Any, title: str, text: Callable[[str], str]) -> str:
        if id(thing) not in self._names:
            name = next(name for n in range(len(self._taken) + 1) if (name := title.strip("<>") + ("" if n == 0 else str(n))) not in self._taken)
            self._names[id(thing)] = name
            self._taken.add(name)
            self._kept.append(thing)
            self.lines.append(text(name))  # after what it needs; functions may need each other
        return self._names[id(thing)]


def _title(value: Any) -> str:
    return f"{type(value).__name__}_"


def _source_of(value: Any) -> FunctionType | None:
    """The Python function behind one that is compiled, interpreted or remembers its answers."""
    value = getattr(value, "py_func", value)
    while isinstance(value, functools._lru_cache_wrapper):
        value = value.__wrapped__
    return value if isinstance(value, FunctionType) else None


class Function:
    """One function on its way."""

    def __init__(self, script: Script, function: FunctionType) -> None:
        self._script, self._function = script, function
        try:
            lines, self._first = inspect.getsourcelines(function.__code__)
        except OSError:
            raise Untranslatable(f"{function.__qualname__}: its text can't be found") from None
        self._file = function.__code__.co_filename
        tree = ast.parse(textwrap.dedent("".join(lines)))
        found = tree.body[0]
        if not isinstance(found, ast.FunctionDef):
            raise self._refused(found, "this is no function with a name")
        self._tree = found
        self._scope: dict[str, Any] = dict(function.__globals__)
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
            self._scope[name] = cell.cell_contents
        self._local: list[set[str]] = []
        self._temporary = 0

    def text(self, name: str, kept: bool) -> str:
        """Its JavaScript, under a name; kept: it remembers its answers."""
        defaults = [self._script.value(value) for value in self._function.__defaults__ or ()]
        made = self._function_text(f"{name}$" if kept else name, self._tree, defaults)
        return f"{made}\nconst {name} = py.cache({name}$);" if kept else made

    def _refused(self, node: Any, why: str) -> Untranslatable:
        line = self._first + getattr(node, "lineno", 1) - 1
        return Untranslatable(f"{self._file}:{line}: {why}")

    # --- functions and statements ---

    def _function_text(self, name: str, node: ast.FunctionDef, defaults: list[str]) -> str:
        given = node.args
        if given.vararg or given.kwarg or given.kwonlyargs or given.posonlyargs:
            raise self._refused(node, "only plain parameters can be translated")
        names = [one.arg for one in given.args]
        first = len(names) - len(defaults)
        written = [_safe(one) + (f" = {defaults[at - first]}" if at >= first else "") for at, one in enumerate(names)]
        inside = _assigned(node.body) - set(names)
        self._local.append(set(names) | inside | {found.name for found in _own(node.body) if isinstance(found, ast.FunctionDef)})
        body = self._block(node.body)
        self._local.pop()
        star = "*" if any(isinstance(found, (ast.Yield, ast.YieldFrom)) for found in _own(node.body)) else ""
        declared = f"let {', '.join(sorted(map(_safe, inside)))};\n" if inside else ""
        made = f"function{star} {name}({', '.join(written)}) {{\n{declared}{body}\n}}"
        return f"{made}\n{name}.takes = {json.dumps(names)};"

    def _block(self, body: Iterable[ast.stmt]) -> str:
        return "\n".join(filter(None, (self._statement(one) for one in body)))

    def _statement(self, node: ast.stmt) -> str:
        match node:
            case ast.Expr(ast.Constant()) | ast.Pass():
                return ""
            case ast.Expr(ast.Yield(value)):
                return f"yield {self._of(value) if value else 'null'};"
            case ast.Expr(value):
                return f"{self._of(value)};"
            case ast.Return(value):
                return f"return {self._of(value) if value else 'null'};"
            case ast.Assign(targets, value):
                if len(targets) == 1:
                    return self._assign(targets[0], self._of(value))
                kept = self._fresh()
                return f"const {kept} = {self._of(value)};\n" + "\n".join(self._assign(target, kept) for target in targets)
            case ast.AnnAssign(target, _, value):
                return self._assign(target, self._of(value)) if value else ""
            case ast.AugAssign(target, op, value):
                done = self._operator(op, node)
                return self._assign(target, f"py.{done}({self._of(_loaded(target))}, {self._of(value)})")
            case ast.If(test, body, orelse):
                otherwise = f" else {{\n{self._block(orelse)}\n}}" if orelse else ""
                return f"if ({self._test(test)}) {{\n{self._block(body)}\n}}{otherwise}"
            case ast.While(test, body, []):
                return f"while ({self._test(test)}) {{\n{self._block(body)}\n}}"
            case ast.For(target, over, body, []):
                one = self._fresh()
                return f"for (const {one} of py.iter({self._of(over)})) {{\n{self._assign(target, one)}\n{self._block(body)}\n}}"
            case ast.Break():
                return "break;"
            case ast.Continue():
                return "continue;"
            case ast.Raise(what, _) if what is not None:
                return f"throw {self._of(what)};"
            case ast.Assert(test, _):
                return f"py.sure({self._test(test)});"
            case ast.FunctionDef(name):
                return self._function_text(_safe(name), node, [self._of(one) for one in node.args.defaults])
            case ast.Try(body, [handler], [], []):
                return self._try(body, handler)
        raise self._refused(node, f"{type(node).__name__} can't be translated")

    def _try(self, body: list[ast.stmt], handler: ast.ExceptHandler) -> str:
        wrong = self._fresh()
        kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type] if handler.type else []
        caught = f"if (!py.among({wrong}, [{', '.join(map(self._of, kinds))}])) throw {wrong};\n" if kinds else ""
        named = f"{_safe(handler.name)} = {wrong};\n" if handler.name else ""
        return f"try {{\n{self._block(body)}\n}} catch ({wrong}) {{\n{caught}{named}{self._block(handler.body)}\n}}"

    def _assign(self, target: ast.expr, value: str) -> str:
        match target:
            case ast.Name(name):
                return f"{_safe(name)} = {value};"
            case ast.Attribute(of, name):
                return f"{self._of(of)}.{name} = {value};"
            case ast.Subscript(of, index):
                return f"py.put({self._of(of)}, {self._index(index)}, {value});"
            case ast.Tuple(parts) | ast.List(parts):
                kept = self._fresh()
                star = next((at for at, part in enumerate(parts) if isinstance(part, ast.Starred)), -1)
                lines = [f"const {kept} = py.unpack({value}, {len(parts)}, {star});"]
                lines += [self._assign(part.value if isinstance(part, ast.Starred) else part, f"{kept}[{at}]") for at, part in enumerate(parts)]
                return "\n".join(lines)
        raise self._refused(target, f"{type(target).__name__} can't be assigned to")

    def _fresh(self) -> str:
        self._temporary += 1
        return f"${self._temporary}"

    # --- expressions ---

    def _test(self, node: ast.expr) -> str:
        """An expression of which only the truth matters."""
        match node:
            case ast.BoolOp(op, values):
                return "(" + (" && " if isinstance(op, ast.And) else " || ").join(map(self._test, values)) + ")"
            case ast.UnaryOp(ast.Not(), value):
                return f"!{self._test(value)}"
            case ast.Compare():
                return self._of(node)
        return f"py.truth({self._of(node)})"

    def _of(self, node: ast.expr) -> str:
        found, value = self._still(node)
        if found:
            return self._script.value(value)
        match node:
            case ast.Constant(value):
                return literal(value, self._script.value)
            case ast.Name(name):
                return _safe(name)
            case ast.Attribute(of, name):
                return f"{self._of(of)}.{name}"
            case ast.Subscript(of, index):
                return f"py.at({self._of(of)}, {self._index(index)})"
            case ast.BinOp(left, op, right):
                return f"py.{self._operator(op, node)}({self._of(left)}, {self._of(right)})"
            case ast.UnaryOp(ast.Not(), value):
                return f"!{self._test(value)}"
            case ast.UnaryOp(op, value):
                done = {ast.USub: "neg", ast.Invert: "invert", ast.UAdd: "pos"}[type(op)]
                return f"py.{done}({self._of(value)})"
            case ast.BoolOp(op, values):
                chosen = "both" if isinstance(op, ast.And) else "either"
                return functools.reduce(lambda first, then: f"py.{chosen}({first}, () => {self._of(then)})", values[1:], self._of(values[0]))
            case ast.Compare(left, ops, rights):
                return self._compared([left, *rights], ops)
            case ast.IfExp(test, body, orelse):
                return f"({self._test(test)} ? {self._of(body)} : {self._of(orelse)})"
            case ast.NamedExpr(ast.Name(name), value):
                return f"({_safe(name)} = {self._of(value)})"
            case ast.Tuple(parts) | ast.List(parts):
                return f"[{self._listed(parts)}]"
            case ast.Set(parts):
                return f"py.set([{self._listed(parts)}])"
            case ast.Dict(keys, values):
                pairs = (f"[{self._of(key)}, {self._of(value)}]" if key else f"...{self._of(value)}.items()" for key, value in zip(keys, values, strict=True))
                return f"py.dict([{', '.join(pairs)}])"
            case ast.JoinedStr(parts):
                return " + ".join(['""', *map(self._of, parts)]) if parts else '""'
            case ast.FormattedValue(value, conversion, spec):
                shown = f"py.repr({self._of(value)})" if conversion == ord("r") else self._of(value)
                wanted = self._of(spec) if spec else '""'
                return f"py.format({shown}, {wanted})"
            case ast.Lambda(given, body):
                return self._arrow(given, body)
            case ast.ListComp(part, loops) | ast.SetComp(part, loops) | ast.GeneratorExp(part, loops):
                return self._comprehension(node, loops, [part])
            case ast.DictComp(key, value, loops):
                return self._comprehension(node, loops, [key, value])
            case ast.Call():
                return self._call(node)
        raise self._refused(node, f"{type(node).__name__} can't be translated")

    def _still(self, node: ast.expr) -> tuple[bool, Any]:
        """Whether an expression is a name from outside the function, or a member of such a module or class; and what it is."""
        if isinstance(node, ast.Name) and not any(node.id in names for names in self._local):
            if node.id in self._scope:
                return True, self._scope[node.id]
            if hasattr(builtins, node.id):
                return True, getattr(builtins, node.id)
            raise self._refused(node, f"nobody knows {node.id!r}")
        if isinstance(node, ast.Attribute):
            found, of = self._still(node.value)
            if found and isinstance(of, (ModuleType, type)):
                return True, getattr(of, node.attr)
        return False, None

    def _operator(self, op: ast.operator, node: ast.AST) -> str:
        if type(op) not in _BINARY:
            raise self._refused(node, f"{type(op).__name__} can't be translated")
        return _BINARY[type(op)]

    def _compared(self, parts: list[ast.expr], ops: list[ast.cmpop]) -> str:
        written = list(map(self._of, parts))
        kept: dict[str, str] = {}
        for at, part in enumerate(parts[1:-1], 1):
            if not isinstance(part, (ast.Name, ast.Constant)):  # what stands in the middle is read twice, but made once
                name = self._fresh()
                kept[name], written[at] = written[at], name
        compared = [self._negated(_COMPARED[type(op)].format(*written[at : at + 2])) for at, op in enumerate(ops)]
        whole = compared[0] if len(compared) == 1 else f"({' && '.join(compared)})"
        return f"(({', '.join(kept)}) => {whole})({', '.join(kept.values())})" if kept else whole

    @staticmethod
    def _negated(call: str) -> str:
        return call if call.startswith("!") else f"py.{call}"

    def _listed(self, parts: list[ast.expr]) -> str:
        return ", ".join(f"...py.iter({self._of(part.value)})" if isinstance(part, ast.Starred) else self._of(part) for part in parts)

    def _index(self, node: ast.expr) -> str:
        if isinstance(node, ast.Slice):
            return f"py.slice({', '.join(self._of(part) if part else 'null' for part in (node.lower, node.upper, node.step))})"
        return f"[{', '.join(map(self._index, node.elts))}]" if isinstance(node, ast.Tuple) else self._of(node)

    def _arrow(self, given: ast.arguments, body: ast.expr) -> str:
        names = {one.arg for one in given.args}
        self._local.append(names)
        made = f"(({', '.join(_safe(one.arg) for one in given.args)}) => {self._of(body)})"
        self._local.pop()
        return made

    def _comprehension(self, node: ast.expr, loops: list[ast.comprehension], parts: list[ast.expr]) -> str:
        names: set[str] = set()
        opened, closed = "", ""
        over = self._of(loops[0].iter)  # the first is looked at outside
        self._local.append(names)
        for at, loop in enumerate(loops):
            source = over if at == 0 else self._of(loop.iter)
            names |= _targets(loop.target)
            one = self._fresh()
            own = sorted(map(_safe, _targets(loop.target)))
            tests = "".join(f"if ({self._test(test)}) " for test in loop.ifs)
            opened += f"for (const {one} of py.iter({source})) {{ let {', '.join(own)}; {self._assign(loop.target, one)} {tests}{{ "
            closed += " } }"
        made = [self._of(part) for part in parts]
        self._local.pop()
        if isinstance(node, ast.GeneratorExp):
            return f"(function* () {{ {opened}yield {made[0]};{closed} }})()"
        gathered = f"(() => {{ const $ = []; {opened}$.push({made[0] if len(made) == 1 else f'[{made[0]}, {made[1]}]'});{closed} return $; }})()"
        return f"py.set({gathered})" if isinstance(node, ast.SetComp) else f"py.dict({gathered})" if isinstance(node, ast.DictComp) else gathered

    def _call(self, node: ast.Call) -> str:
        arguments = self._listed(node.args)
        if any(one.arg is None for one in node.keywords):
            raise self._refused(node, "a call with ** can't be translated")
        named = ", ".join(f"{json.dumps(one.arg)}: {self._of(one.value)}" for one in node.keywords)
        found, _ = self._still(node.func)
        if not found and isinstance(node.func, ast.Attribute):
            options = f", {{{named}}}" if named else ""
            return f"py.call({self._of(node.func.value)}, {json.dumps(node.func.attr)}, [{arguments}]{options})"
        called = self._of(node.func)
        return f"py.named({called}, [{arguments}], {{{named}}})" if named else f"{called}({arguments})"


def _safe(name: str) -> str:
    return f"{name}$" if name in _RESERVED or name == "$" else name


def _loaded(target: ast.expr) -> ast.expr:
    """What is assigned to, as something that is read."""
    copied: ast.expr = ast.parse(ast.unparse(target), mode="eval").body
    return ast.copy_location(copied, target)


def _own(body: Iterable[ast.AST]) -> Iterable[ast.AST]:
    """All that belongs to a function itself, and not to one within it."""
    for node in body:
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.Lambda, ast.GeneratorExp, ast.ListComp, ast.SetComp, ast.DictComp)):
            yield from _own(ast.iter_child_nodes(node))


def _assigned(body: Iterable[ast.stmt]) -> set[str]:
    """The names that a function's body gives values to; in a comprehension only those that are given with `:=`."""
    found: set[str] = set()
    for node in _own(body):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, ast.ExceptHandler) and node.name:
            found.add(node.name)
        elif isinstance(node, (ast.GeneratorExp, ast.ListComp, ast.SetComp, ast.DictComp)):
            found |= {part.target.id for part in ast.walk(node) if isinstance(part, ast.NamedExpr)}
    return found


def _targets(target: ast.expr) -> set[str]:
    return {node.id for node in ast.walk(target) if isinstance(node, ast.Name)}
