"""Functions of Python as functions of JavaScript, and everything that they call or read.

A function's free names are looked up as Python would: another function is translated too, a value is written down, a module is looked into. Whole numbers
become BigInt, so that sets of a hundred bits stay what they are; what an operator does is decided by the runtime, by what it is given.
"""

from __future__ import annotations

import ast
import builtins
import dataclasses
import functools
import inspect
import json
import re
import textwrap
from collections.abc import Callable, Iterable, Mapping
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from hanpan.core.javascript.known import ATTRIBUTES, FUNCTIONS, METHODS, SPEC, STRANGE, Takes, in_places
from hanpan.core.javascript.trees import assigned, is_of, loaded, once, own, parameters, safe, targets
from hanpan.core.javascript.values import Untranslatable, known, literal

_BINARY: dict[type, str] = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "div", ast.FloorDiv: "floordiv", ast.Mod: "mod", ast.Pow: "pow",
    ast.LShift: "shl", ast.RShift: "shr", ast.BitOr: "or_", ast.BitAnd: "and_", ast.BitXor: "xor",
}  # fmt: skip
_COMPARED: dict[type, str] = {
    ast.Eq: "eq", ast.NotEq: "ne", ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge",
    ast.In: "isIn", ast.NotIn: "notIn", ast.Is: "is", ast.IsNot: "isNot",
}  # fmt: skip


_PLACED = re.compile(r".*\.py:\d+: ")


class Script:
    """A JavaScript text that grows with every function that is asked for."""

    def __init__(self, hosted: Mapping[str, Any] | None = None, members: Iterable[str] = ()) -> None:
        sources = {name: _source_of(function) for name, function in (hosted or {}).items()}
        self._hosted = {source.__code__: name for name, source in sources.items() if source is not None}  # who else runs them: `host.<name>`
        self._names: dict[int, str] = {}
        self._taken: set[str] = set()
        self._kept: list[Any] = []  # whatever has a name stays alive, so that no other thing gets its id
        self.members = {*ATTRIBUTES, *members}  # what something here may have behind a point
        self.asked: list[tuple[str, str]] = []  # what is read behind a point, and where
        self.lines: list[str] = []

    def text(self, exported: Mapping[str, Any]) -> str:
        """A module whose default export makes the given things, from the runtime and whoever runs what is hosted."""
        made = self.object(exported)
        for name, place in self.asked:
            if name not in self.members:
                why = "can only be called here" if name in METHODS else "is nothing that anything has here"
                raise Untranslatable(f"{place}: `.{name}` {why}")
        return "export default (py, host) => {\n" + "\n".join(self.lines) + f"\nreturn {made};\n}};\n"

    def object(self, given: Mapping[str, Any]) -> str:
        """An object with a member for each; what is an object itself may be given as such a mapping."""
        self.members |= set(given)
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
            changing = isinstance(value, (list, dict, set, np.ndarray))  # whoever changes it changes the same thing
            return written if len(written) < 24 and not changing else self._named(value, _title(value), lambda name: f"const {name} = {written};")
        if source is not None:
            if source.__code__ in self._hosted:
                return f"host.{self._hosted[source.__code__]}"
            title = f"{source.__globals__['__name__'].rpartition('.')[2]}${source.__name__}"
            # the interpreted twin of a rule (see `plain`) is another function of the same text
            kept = isinstance(value, functools._lru_cache_wrapper)
            return self._named(source if source.__closure__ else source.__code__, title, lambda name: Function(self, source).text(name, kept))
        self.members |= {field.name for field in dataclasses.fields(value)} if dataclasses.is_dataclass(value) else set()
        return self._named(value, f"${value.__name__}", lambda name: f"const {name} = {literal(value, self.value)};")

    def _named(self, thing: Any, title: str, text: Callable[[str], str]) -> str:
        if id(thing) not in self._names:
            if isinstance(thing, np.dtype):
                self.members |= set(thing.names or ())
            name = next(name for n in range(len(self._taken) + 1) if (name := re.sub(r"[^\w$]", "", title) + ("" if n == 0 else str(n))) not in self._taken)
            self._names[id(thing)] = name
            self._taken.add(name)
            self._kept.append(thing)
            self.lines.append(text(name))  # after what it needs; functions may need each other
        return self._names[id(thing)]


def _title(value: Any) -> str:
    return f"${type(value).__name__}"  # no name of Python's has such a sign


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
        self._file = function.__code__.co_filename
        if not is_of(function.__code__, self._file):
            raise Untranslatable(f"{self._file}: it was changed since it was loaded; try again")
        try:
            lines, self._first = inspect.getsourcelines(function.__code__)
        except OSError:
            raise Untranslatable(f"{function.__qualname__}: its text can't be found") from None
        tree = ast.parse(textwrap.dedent("".join(lines)))
        found = tree.body[0]
        if not isinstance(found, ast.FunctionDef):
            raise self._refused(found, "this is no function with a name")
        self._tree = found
        self._scope: dict[str, Any] = dict(function.__globals__)
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
            self._scope[name] = cell.cell_contents
        self._local: list[set[str]] = []
        self._declared: list[str] = []  # names of our own, of the function that is being written
        self._temporary = 0

    def text(self, name: str, kept: bool) -> str:
        """Its JavaScript, under a name; kept: it remembers its answers."""
        defaults = [self._value(value, self._tree) for value in self._function.__defaults__ or ()]
        made = self._function_text(f"{name}$" if kept else name, self._tree, defaults)
        return f"{made}\nconst {name} = py.cache({name}$);" if kept else made

    def _refused(self, node: Any, why: str) -> Untranslatable:
        return Untranslatable(f"{self._place(node)}: {why}")

    def _place(self, node: Any) -> str:
        return f"{self._file}:{self._first + getattr(node, 'lineno', 1) - 1}"

    def _value(self, value: Any, node: ast.AST) -> str:
        """What stands for a value from outside."""
        try:
            return self._script.value(value)
        except Untranslatable as wrong:
            raise wrong if _PLACED.match(str(wrong)) else self._refused(node, str(wrong)) from None

    # --- functions and statements ---

    def _function_text(self, name: str, node: ast.FunctionDef, defaults: list[str]) -> str:
        given = node.args
        if given.vararg or given.kwarg or given.kwonlyargs or given.posonlyargs:
            raise self._refused(node, "only plain parameters can be translated")
        names = [one.arg for one in given.args]
        inside = assigned(node.body) - set(names)
        self._local.append(set(names) | inside)
        above, self._declared = self._declared, []
        body = self._block(node.body)
        declared, self._declared = sorted(map(safe, inside)) + self._declared, above
        self._local.pop()
        star = "*" if any(isinstance(found, (ast.Yield, ast.YieldFrom)) for found in own(node.body)) else ""
        opened = f"let {', '.join(declared)};\n" if declared else ""
        made = f"function{star} {name}({parameters(names, defaults)}) {{\n{opened}{body}\n}}"
        return f"{made}\n{name}.takes = {json.dumps(names)};"

    def _inner_function(self, node: ast.FunctionDef) -> str:
        if node.decorator_list:
            raise self._refused(node, "a decorated function within a function can't be translated")
        kept, name = self._kept(node.args.defaults), self._fresh()
        return "\n".join(
            [*(f"const {one} = {made};" for one, made in kept.items()), self._function_text(name, node, list(kept)), f"{safe(node.name)} = {name};"]
        )

    def _kept(self, defaults: list[ast.expr]) -> dict[str, str]:
        """Names for what parameters are if nothing is given: it is made once, where the function is."""
        return {self._fresh(): self._of(one) for one in defaults}

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
                return self._changed(target, op, value)
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
                found, kind = self._still(what)
                return f"throw {self._of(what)}{'()' if found and isinstance(kind, type) else ''};"
            case ast.Assert(test, _):
                return f"py.sure({self._test(test)});"
            case ast.FunctionDef():
                return self._inner_function(node)
            case ast.Try(body, [handler], [], []):
                return self._try(body, handler)
        raise self._refused(node, f"{type(node).__name__} can't be translated")

    def _try(self, body: list[ast.stmt], handler: ast.ExceptHandler) -> str:
        wrong = self._fresh()
        kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type] if handler.type else []
        caught = f"if (!py.among({wrong}, [{', '.join(map(self._of, kinds))}])) throw {wrong};\n" if kinds else ""
        named = f"{safe(handler.name)} = {wrong};\n" if handler.name else ""
        return f"try {{\n{self._block(body)}\n}} catch ({wrong}) {{\n{caught}{named}{self._block(handler.body)}\n}}"

    def _changed(self, target: ast.expr, op: ast.operator, value: ast.expr) -> str:
        """`target op= value`: what stands left of it is made once, and changed where it is if that can be done."""
        kept: list[str] = []

        def made(part: ast.expr) -> str:
            name = self._fresh()
            kept.append(f"const {name} = {self._of(part)};")
            return name

        target = once(target, made)
        read, done = self._of(loaded(target)), self._operator(op, target)
        changeable = isinstance(op, (ast.Add, ast.Mult, ast.BitOr, ast.BitAnd, ast.BitXor, ast.Sub))  # lists, dicts and sets have these
        changed = f"py.within(py.{done}, {read}, {self._of(value)})" if changeable else f"py.{done}({read}, {self._of(value)})"
        lines = "\n".join([*kept, self._assign(target, changed)])
        return f"{{\n{lines}\n}}" if kept else lines

    def _assign(self, target: ast.expr, value: str) -> str:
        match target:
            case ast.Name(name):
                return f"{safe(name)} = {value};"
            case ast.Attribute(of, name):
                self._script.asked.append((name, self._place(target)))
                return f"{self._of(of)}.{name} = {value};"
            case ast.Subscript(of, index):
                return f"py.put({value}, {self._of(of)}, {self._index(index)});"
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
            return self._value(value, node)
        match node:
            case ast.Constant(value):
                return self._value(value, node)
            case ast.Name(name):
                return safe(name)
            case ast.Attribute(of, name):
                self._script.asked.append((name, self._place(node)))
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
                return f"({safe(name)} = {self._of(value)})"
            case ast.List(parts):
                return f"[{self._listed(parts)}]"
            case ast.Tuple(parts):
                return f"py.tuple_([{self._listed(parts)}])"
            case ast.Set(parts):
                return f"py.set([{self._listed(parts)}])"
            case ast.Dict(keys, values):
                pairs = (f"[{self._of(key)}, {self._of(value)}]" if key else f"...{self._of(value)}.items()" for key, value in zip(keys, values, strict=True))
                return f"py.dict([{', '.join(pairs)}])"
            case ast.JoinedStr(parts):
                return " + ".join(['""', *map(self._of, parts)]) if parts else '""'
            case ast.FormattedValue(value, conversion, spec):
                if conversion == ord("a"):
                    raise self._refused(node, "!a can't be translated")
                shown = {ord("r"): "py.repr({})", ord("s"): "py.str({})"}.get(conversion, "{}").format(self._of(value))
                return f"py.format({shown}, {self._format(spec)})"
            case ast.Lambda():
                return self._arrow(node)
            case ast.ListComp(part, loops) | ast.SetComp(part, loops) | ast.GeneratorExp(part, loops):
                return self._comprehension(node, loops, [part])
            case ast.DictComp(key, value, loops):
                return self._comprehension(node, loops, [key, value])
            case ast.Call():
                return self._call(node)
        raise self._refused(node, f"{type(node).__name__} can't be translated")

    def _still(self, node: ast.expr) -> tuple[bool, Any]:
        """Whether an expression is a name from outside the function, or a member of such a module or class; and what it is."""
        if isinstance(node, ast.Name) and not node.id.startswith("$") and not any(node.id in names for names in self._local):
            if node.id in self._scope:
                return True, self._scope[node.id]
            if hasattr(builtins, node.id):
                return True, getattr(builtins, node.id)
            raise self._refused(node, f"nobody knows {node.id!r}")
        if isinstance(node, ast.Attribute):
            found, of = self._still(node.value)
            if found and isinstance(of, (ModuleType, type)):
                if not hasattr(of, node.attr):
                    raise self._refused(node, f"{of.__name__} has no {node.attr!r}")
                return True, getattr(of, node.attr)
        return False, None

    def _format(self, spec: ast.expr | None) -> str:
        if spec is None:
            return '""'
        parts = spec.values if isinstance(spec, ast.JoinedStr) else [spec]
        if all(isinstance(part, ast.Constant) for part in parts):
            wanted = "".join(str(part.value) for part in parts if isinstance(part, ast.Constant))
            if not SPEC.fullmatch(wanted):
                raise self._refused(spec, f"the format {wanted!r} can't be translated")
        return self._of(spec)

    def _operator(self, op: ast.operator, node: ast.AST) -> str:
        if type(op) not in _BINARY:
            raise self._refused(node, f"{type(op).__name__} can't be translated")
        return _BINARY[type(op)]

    def _compared(self, parts: list[ast.expr], ops: list[ast.cmpop]) -> str:
        written = list(map(self._of, parts))
        first = written[:]
        for at, part in enumerate(parts[1:-1], 1):
            if not isinstance(part, (ast.Name, ast.Constant)):  # what stands in the middle is read twice, but made once, and only if what is before it holds
                written[at] = self._fresh()
                first[at] = f"({written[at]} = {first[at]})"
                self._declared.append(written[at])
        compared = [f"py.{_COMPARED[type(op)]}({written[at]}, {first[at + 1]})" for at, op in enumerate(ops)]
        return compared[0] if len(compared) == 1 else f"({' && '.join(compared)})"

    def _listed(self, parts: list[ast.expr]) -> str:
        return ", ".join(f"...py.iter({self._of(part.value)})" if isinstance(part, ast.Starred) else self._of(part) for part in parts)

    def _index(self, node: ast.expr) -> str:
        if isinstance(node, ast.Slice):
            return f"py.slice({', '.join(self._of(part) if part else 'null' for part in (node.lower, node.upper, node.step))})"
        if isinstance(node, (ast.List, ast.ListComp)):
            raise self._refused(node, "several items can't be picked out by a list")
        return f"py.tuple_([{', '.join(map(self._index, node.elts))}])" if isinstance(node, ast.Tuple) else self._of(node)

    def _arrow(self, node: ast.Lambda) -> str:
        given = node.args
        if given.vararg or given.kwarg or given.kwonlyargs or given.posonlyargs:
            raise self._refused(node, "only plain parameters can be translated")
        names, kept = [one.arg for one in given.args], self._kept(given.defaults)
        self._local.append(set(names))
        made = f"py.lambda({json.dumps(names)}, ({parameters(names, list(kept))}) => {self._own_names(lambda: self._of(node.body))})"
        self._local.pop()
        return f"(({', '.join(kept)}) => {made})({', '.join(kept.values())})" if kept else made

    def _own_names(self, write: Callable[[], str]) -> str:
        """An expression of a function without a name, with whatever names of ours it needs."""
        above, self._declared = self._declared, []
        made = write()
        declared, self._declared = self._declared, above
        return f"{{ let {', '.join(declared)}; return {made}; }}" if declared else f"({made})"

    def _comprehension(self, node: ast.expr, loops: list[ast.comprehension], parts: list[ast.expr]) -> str:
        names: set[str] = set()
        over = self._of(loops[0].iter)  # the first is looked at outside
        self._local.append(names)
        above, self._declared = self._declared, []
        opened, closed = "", ""
        for at, loop in enumerate(loops):
            source = "$over" if at == 0 else self._of(loop.iter)
            names |= targets(loop.target)
            one = self._fresh()
            tests = "".join(f"if ({self._test(test)}) " for test in loop.ifs)
            opened += f"for (const {one} of py.iter({source})) {{ {self._assign(loop.target, one)} {tests}{{ "
            closed += " } }"
        made = [self._of(part) for part in parts]
        declared, self._declared = sorted(map(safe, names)) + self._declared, above
        self._local.pop()
        opened = f"let {', '.join(declared)}; {opened}"
        if isinstance(node, ast.GeneratorExp):
            return f"(function* ($over) {{ {opened}yield {made[0]};{closed} }})({over})"
        gathered = f"(($over) => {{ const $ = []; {opened}$.push({made[0] if len(made) == 1 else f'[{made[0]}, {made[1]}]'});{closed} return $; }})({over})"
        return f"py.set({gathered})" if isinstance(node, ast.SetComp) else f"py.dict({gathered})" if isinstance(node, ast.DictComp) else gathered

    def _call(self, node: ast.Call) -> str:
        if any(one.arg is None for one in node.keywords):
            raise self._refused(node, "a call with ** can't be translated")
        found, called = self._still(node.func)
        if not found and isinstance(node.func, ast.Attribute):
            name = node.func.attr
            if name not in METHODS:
                self._script.asked.append((name, self._place(node)))  # a function in a field, perhaps
            arguments, named = self._arguments(node, METHODS.get(name), f".{name}()")
            return f"py.call({self._of(node.func.value)}, {json.dumps(name)}, [{arguments}]{f', {{{named}}}' if named else ''})"
        takes = _takes(called) if found else None
        if found:
            self._check_call(node, called)
        arguments, named = self._arguments(node, takes, f"{getattr(called, '__name__', called)}()")
        if named and found and called is dict:
            return f"py.dictWith([{f'...py.dict({arguments}).items()' if arguments else ''}], {{{named}}})"
        function = self._of(node.func)
        return f"py.named({function}, [{arguments}], {{{named}}})" if named else f"{function}({arguments})"

    def _arguments(self, node: ast.Call, takes: Takes | None, title: str) -> tuple[str, str]:
        """What stands in its place, and what is handed on by name."""
        arguments, named = self._listed(node.args), {str(one.arg): self._of(one.value) for one in node.keywords}
        if takes is not None and not any(isinstance(one, ast.Starred) for one in node.args):
            try:
                places = in_places(takes, len(node.args), list(named))
            except ValueError as wrong:
                raise self._refused(node, f"{title} {wrong} here") from None
            given = {place: named.pop(name) for name, place in places.items()}
            behind = [given.get(place, "undefined") for place in range(len(node.args), max(given, default=-1) + 1)]
            arguments = ", ".join([arguments] * bool(node.args) + behind)
        return arguments, ", ".join(f"{json.dumps(name)}: {value}" for name, value in named.items())

    def _check_call(self, node: ast.Call, called: Any) -> None:
        """What the runtime would take, and give something else for."""
        if called in (np.zeros, np.empty) and len(node.args) + len(node.keywords) < 2:
            raise self._refused(node, "an array needs its kind of whole number, `np.zeros(n, np.int8)`: without it NumPy's has points")
        if called is isinstance and len(node.args) == 2:
            kinds = node.args[1].elts if isinstance(node.args[1], ast.Tuple) else [node.args[1]]
            for kind in kinds:
                _, asked = self._still(kind)
                if asked not in _KINDS and not dataclasses.is_dataclass(asked):
                    raise self._refused(node, f"whether something is a {ast.unparse(kind)} can't be told in JavaScript")
        if called in (re.fullmatch, re.compile):
            flags = [*node.args[2 if called is re.fullmatch else 1 :], *(one.value for one in node.keywords)]
            if any(self._still(flag)[1] != re.ASCII for flag in flags):
                raise self._refused(node, "a regular expression can be translated without other flags than re.ASCII only")
        if called in (re.fullmatch, re.compile) and isinstance(node.args[0], ast.Constant) and (strange := STRANGE.search(str(node.args[0].value))):
            raise self._refused(node, f"{strange[0]!r} in a regular expression can't be translated")


_KINDS: tuple[Any, ...] = (str, int, bool, float, list, tuple, dict, set, frozenset)


def _takes(called: Any) -> Takes | None:
    try:
        return FUNCTIONS.get(called)
    except TypeError:  # what can't be hashed
        return None
