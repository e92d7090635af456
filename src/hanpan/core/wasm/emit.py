"""Rules as WebAssembly: what Numba tells LLVM of a rule, made for WebAssembly instead of this machine.

It is kept as it was before anything was made of it (see `compiled`): what is made for one processor is slow on another, and so no module depends on the machine
that made it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import llvmlite
import llvmlite.binding as llvm
import numpy as np
from llvmlite import ir
from numba.core import types as numba_types
from numba.np.arrayobj import populate_array
from numba.np.numpy_support import as_dtype

from hanpan.core.compiled import Job, NotCompiled, reached, signature, why_not
from hanpan.core.filled import Filled, who_fills
from hanpan.core.wasm.link import Unlinkable, link

types: Any = numba_types  # its names are made at run time

FEATURES = "+bulk-memory,+mutable-globals,+nontrapping-fptoint,+sign-ext,+simd128"  # every browser since 2023 has them
_TRIPLE = "wasm32-unknown-unknown"
_OUTSIDE = "hanpan_"  # what names of exported functions begin with, inside
_POINTER = ir.IntType(8).as_pointer()
_EXTENT = ir.IntType(32)
_FILL = "fill tables"  # no rule can have this name
_REWRITTEN = (
    (re.compile(r"(?m)^target .*$"), ""),
    (re.compile(r"= common (local_unnamed_addr )?global"), "= internal global"),  # WebAssembly has no such symbols
    (re.compile(r"= internal constant"), "= internal unnamed_addr constant"),  # a table that several rules read is needed once
)
_CONSTANT = re.compile(r'(?m)^@(\S+) = internal (?:unnamed_addr )?constant \[(\d+) x i8\] c"([^"]*)".*$')

_RULE = re.compile("_[0-9a-f]{16}B")  # the name of a rule, with the digest of all that it depends on (see `compiled`)
_ESCAPED = re.compile(rb"\\(\\|[0-9A-Fa-f]{2})")


class NoWebAssembly(RuntimeError):
    """The LLVM that is installed was built without it."""


def emit(jobs: Mapping[str, Job], tell: Callable[[str], None] = lambda _: None) -> bytes:
    """A module that exports rules under the given names, for the given types of their arguments. They are compiled for this machine first, or loaded; `tell`
    is told which.

    An array is handed over as its address and its extents (each 32 bits wide; its items lie close together, the last index running fastest), a record as
    its address, a number as itself. Whole numbers come back 64 bits wide; a tuple of them is written to an address that comes last. The module's note says
    all this of each rule.
    """
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    try:
        llvm.Target.from_triple(_TRIPLE)
    except RuntimeError:
        raise NoWebAssembly(f"llvmlite {llvmlite.__version__} was built without WebAssembly") from None
    tables = tables_of(jobs.values())
    for filling in tables:
        _check(filling)
    whole, told = llvm.parse_assembly(""), {}
    for name, job in jobs.items():
        tell(name)
        outside, told[name] = _exported(name, _added(whole, job, tables))
        whole.link_in(llvm.parse_assembly(str(outside)))
    if tables:
        made = [_added(whole, (filling.rule, signature((filling.table,))), tables) for filling in tables]
        whole.link_in(llvm.parse_assembly(str(_filling(tables, made))))
    exports = {name: _OUTSIDE + name for name in jobs}
    try:
        return link(_compiled(whole), exports, json.dumps(told, separators=(",", ":")).encode(), _OUTSIDE + _FILL if tables else None)
    except Unlinkable as wrong:
        who = _who_wants(jobs.values(), wrong.wanted) if wrong.wanted else ""
        if not who:
            raise
        raise Unlinkable(f"{who}: there is no `{wrong.wanted}` in WebAssembly") from wrong


def _who_wants(jobs: Iterable[Job], wanted: str) -> str:
    """The rule, with its file and line, that leads to something from outside; nothing if it is not found."""
    needs = re.compile(r"\bfrem\b" if wanted == "fmod" else rf"@\"?(llvm\.)?{re.escape(wanted)}\b")
    for rule, types_ in jobs:
        for told in rule.overloads[types_].library.told:
            text = str(llvm.parse_bitcode(told))
            if needs.search(text):
                defined = re.findall(r"(?m)^define .*?@\"?([^\"(]+)", text)
                for found in (value.py_func for value in reached(rule) if hasattr(value, "py_func")):
                    if any(re.search(rf"(?<![a-z_]){re.escape(found.__name__)}_[0-9a-f]{{16}}B", name) for name in defined):
                        return f"{found.__code__.co_filename}:{found.__code__.co_firstlineno}: `{found.__name__}`"
    return ""


def tables_of(jobs: Iterable[Job]) -> list[Filled]:
    """The tables that a module of these rules fills itself, once each."""
    found = {id(value): filling for rule, _ in jobs for value in reached(rule) if (filling := who_fills(value)) is not None}
    return list(found.values())


def _check(filling: Filled) -> None:
    table, rule = filling
    like = np.zeros_like(table)
    rule(like)
    if like.tobytes() != table.tobytes():
        raise ValueError(f"{rule.__name__} does not fill its table with what it holds")
    if any(who_fills(value) is not None for value in reached(rule)):
        raise ValueError(f"{rule.__name__} reads a table that is filled itself: which comes first?")


def _added(whole: Any, job: Job, tables: Sequence[Filled]) -> Any:
    """Put a rule into the whole; what Numba made of it comes back."""
    rule, types_ = job
    try:
        rule.compile(types_)
    except (MemoryError, OSError):
        raise
    except Exception as fault:
        raise NotCompiled(why_not(rule, fault)) from fault
    made = rule.overloads[types_]
    module = llvm.parse_assembly("")
    for told in made.library.told:
        text = _left_to_be_filled(str(llvm.parse_bitcode(told)), tables)
        for found, instead in _REWRITTEN:
            text = found.sub(instead, text)
        part = llvm.parse_assembly(text)
        for function in part.functions:
            if function.name == made.fndesc.llvm_func_name and not function.is_declaration:
                function.linkage = "external"  # and so what it calls is needed, too
        module.link_in(part)
    for function in module.functions:
        if not function.is_declaration and not _RULE.search(function.name):  # what another process has compiled may have the same names for other things
            function.linkage = "internal"
    whole.link_in(module)
    return made


def _room(number: int) -> str:
    """The name of the place where a table is filled: the same in everything that is put together."""
    return f"{_OUTSIDE}table{number}"


def _left_to_be_filled(text: str, tables: Sequence[Filled]) -> str:
    """The text with zeros that can be written to, where it has the content of such tables."""
    sizes, contents = {table.nbytes for table, _ in tables}, {table.tobytes(): number for number, (table, _) in enumerate(tables)}
    read = {name: _read(content) for name, size, content in _CONSTANT.findall(text) if int(size) in sizes}
    places = {name: contents[content] for name, content in read.items() if content in contents}
    text = _CONSTANT.sub(lambda found: "" if found[1] in places else found[0], text)
    for name, number in places.items():
        text = re.sub(rf"@{re.escape(name)}(?![\w.$-])", f"@{_room(number)}", text)
    lines = [f"@{_room(number)} = weak global [{tables[number].table.nbytes} x i8] zeroinitializer, align 16" for number in sorted(set(places.values()))]
    return "\n".join([text, *lines])


def _read(content: str) -> bytes:
    """Bytes that LLVM has written as a text."""
    return _ESCAPED.sub(lambda found: b"\\" if found[1] == b"\\" else bytes([int(found[1], 16)]), content.encode("ascii"))


def _filling(tables: Sequence[Filled], made: Sequence[Any]) -> Any:
    """A function that fills all tables."""
    module = ir.Module(_FILL)
    builder = ir.IRBuilder(ir.Function(module, ir.FunctionType(ir.VoidType(), []), _OUTSIDE + _FILL).append_basic_block())
    for number, ((table, _), how) in enumerate(zip(tables, made, strict=True)):
        room = ir.GlobalVariable(module, ir.ArrayType(ir.IntType(8), table.nbytes), _room(number))
        given = iter([builder.bitcast(room, _POINTER), *(ir.Constant(_EXTENT, extent) for extent in table.shape)])
        context, takes = how.target_context, how.signature.args
        callee = context.declare_function(module, how.fndesc)
        context.call_conv.call_function(builder, callee, how.signature.return_type, takes, [_taken(context, builder, takes[0], given)])
    builder.ret_void()
    return module


def _exported(name: str, made: Any) -> tuple[Any, Any]:
    """A function around a rule that can be called from outside; and how it is called."""
    context, takes, gives = made.target_context, made.signature.args, made.signature.return_type
    module = ir.Module(name)
    several = isinstance(gives, types.BaseTuple)
    parameters: list[Any] = []
    for type_ in takes:
        parameters += [_POINTER, *[_EXTENT] * type_.ndim] if isinstance(type_, types.Array) else [_given(context, type_)]
    if several and not all(isinstance(part, (types.Integer, types.Boolean)) for part in gives):
        raise TypeError(f"{name}: a rule that gives {gives} can't be called from outside: only several whole numbers can be told")
    parameters += [_POINTER] if several else []
    whole = isinstance(gives, (types.Integer, types.Boolean))
    answer = ir.VoidType() if several or gives == types.none else context.get_value_type(types.int64 if whole else gives)
    function = ir.Function(module, ir.FunctionType(answer, parameters), _OUTSIDE + name)
    builder = ir.IRBuilder(function.append_basic_block())
    given = iter(function.args)
    arguments = [_taken(context, builder, type_, given) for type_ in takes]
    callee = context.declare_function(module, made.fndesc)
    _, result = context.call_conv.call_function(builder, callee, gives, takes, arguments)
    if several:
        at = builder.bitcast(next(given), context.get_value_type(types.int64).as_pointer())
        for i, part in enumerate(gives):
            builder.store(context.cast(builder, builder.extract_value(result, i), part, types.int64), builder.gep(at, [ir.Constant(_EXTENT, i)]))
    if isinstance(answer, ir.VoidType):
        builder.ret_void()
    else:
        builder.ret(context.cast(builder, result, gives, types.int64) if whole else result)
    return module, {
        "takes": [_kind(type_) for type_ in takes],
        "of": [_items(type_) for type_ in takes],
        "gives": [_kind(part) for part in gives] if several else _kind(gives),
    }


def _kind(type_: Any) -> str:
    """What is handed over, in a word: an array with the number of its extents."""
    if isinstance(type_, types.Array):
        return f"array{type_.ndim}"
    named = ((types.Record, "record"), (types.Boolean, "bool"), (types.Integer, "int"), (types.Float, "float"), (types.NoneType, "nothing"))
    return next(word for kind, word in named if isinstance(type_, kind))


def _items(type_: Any) -> str:
    """What lies there: the kind of the items, as NumPy calls it, and their size in bytes; `V24` is a record of so many."""
    kind = as_dtype(type_.dtype if isinstance(type_, types.Array) else type_)
    return f"{kind.kind}{kind.itemsize}"


def _given(context: Any, type_: Any) -> Any:
    if not isinstance(type_, (types.Record, types.Integer, types.Float, types.Boolean)):
        raise TypeError(f"a rule that takes {type_} can't be called from outside")
    return _POINTER if isinstance(type_, types.Record) else context.get_value_type(type_)


def _taken(context: Any, builder: Any, type_: Any, given: Any) -> Any:
    """An argument as Numba wants it, of what was handed over."""
    if not isinstance(type_, types.Array):
        value = next(given)
        return builder.bitcast(value, context.get_value_type(type_)) if isinstance(type_, types.Record) else value
    if type_.layout != "C":
        raise TypeError(f"{type_}: its items do not lie close together")
    array, word = context.make_array(type_)(context, builder), context.get_value_type(types.intp)
    data = builder.bitcast(next(given), array.data.type)
    shape = [builder.zext(next(given), word) for _ in range(type_.ndim)]
    size = ir.Constant(word, context.get_abi_sizeof(context.get_data_type(type_.dtype)))
    strides: list[Any] = []
    stride = size
    for extent in reversed(shape):
        strides.insert(0, stride)
        stride = builder.mul(stride, extent)
    populate_array(array, data=data, shape=shape, strides=strides, itemsize=size, meminfo=None)
    return array._getvalue()


def _compiled(module: Any) -> bytes:
    """The object file: what is not called from outside is free to be taken apart."""
    machine = llvm.Target.from_triple(_TRIPLE).create_target_machine(opt=3, reloc="static", features=FEATURES)
    module.triple, module.data_layout = _TRIPLE, str(machine.target_data)
    for function in module.functions:
        if not function.is_declaration and not function.name.startswith(_OUTSIDE):
            function.linkage = "internal"
    for variable in module.global_variables:
        if not variable.is_declaration:
            variable.linkage = "internal"
    tuning = llvm.create_pipeline_tuning_options(speed_level=3)
    tuning.loop_vectorization = tuning.slp_vectorization = True
    builder = llvm.create_pass_builder(machine, tuning)
    builder.getModulePassManager().run(module, builder)
    module.verify()
    for variable in module.global_variables:
        if variable.name.startswith("numba.dynamic.globals"):
            raise ValueError("a rule reads an array that is too large to be a part of it: its address would be one of this process")
    return bytes(machine.emit_object(module))
