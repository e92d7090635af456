"""Rules as WebAssembly: the code that Numba has made of a rule's text for this machine, made for WebAssembly instead.

Numba keeps LLVM's own text of what it compiled, for inlining. That text belongs to this processor only in how it was optimised, not in what it says.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

import llvmlite.binding as llvm
from llvmlite import ir
from numba.core import types as numba_types
from numba.np.arrayobj import populate_array

from hanpan.core.compiled import Job
from hanpan.core.wasm.link import link

types: Any = numba_types  # its names are made at run time

FEATURES = "+bulk-memory,+mutable-globals,+nontrapping-fptoint,+sign-ext,+simd128"  # every browser since 2023 has them
_TRIPLE = "wasm32-unknown-unknown"
_OUTSIDE = "hanpan_"  # what names of exported functions begin with, inside
_POINTER = ir.IntType(8).as_pointer()
_EXTENT = ir.IntType(32)
_REWRITTEN = (
    (re.compile(r"(?m)^target .*$"), ""),
    (re.compile(r"= common (local_unnamed_addr )?global"), "= internal global"),  # WebAssembly has no such symbols
    (re.compile(r"= internal constant"), "= internal unnamed_addr constant"),  # a table that several rules read is needed once
)


def emit(jobs: Mapping[str, Job]) -> bytes:
    """A module that exports rules under the given names, for the given types of their arguments. They are compiled for this machine first, or loaded.

    An array is handed over as its address and its extents (each 32 bits wide; its items lie close together, the last index running fastest), a record as
    its address, a number as itself. Whole numbers come back 64 bits wide; a tuple of them is written to an address that comes last. The module's note says
    all this of each rule.
    """
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    whole, told = llvm.parse_assembly(""), {}
    for name, (rule, types_) in jobs.items():
        rule.compile(types_)
        made = rule.overloads[types_]
        text = str(made.library._get_module_for_linking())
        for found, instead in _REWRITTEN:
            text = found.sub(instead, text)
        module = llvm.parse_assembly(text)
        for function in module.functions:
            if not function.is_declaration:  # what another process has compiled may have the same names for other things
                function.linkage = "external" if function.name == made.fndesc.llvm_func_name else "internal"
        whole.link_in(module)
        outside, told[name] = _exported(name, made)
        whole.link_in(llvm.parse_assembly(str(outside)))
    return link(_compiled(whole), {name: _OUTSIDE + name for name in jobs}, json.dumps(told, separators=(",", ":")).encode())


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
    return module, {"takes": [_kind(type_) for type_ in takes], "gives": [_kind(part) for part in gives] if several else _kind(gives)}


def _kind(type_: Any) -> str:
    """What is handed over, in a word: an array with the number of its extents."""
    if isinstance(type_, types.Array):
        return f"array{type_.ndim}"
    named = ((types.Record, "record"), (types.Boolean, "bool"), (types.Integer, "int"), (types.Float, "float"), (types.NoneType, "nothing"))
    return next(word for kind, word in named if isinstance(type_, kind))


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
    tuning.loop_vectorization = tuning.slp_vectorization = False  # rules have short loops: it makes modules larger and hardly faster
    builder = llvm.create_pass_builder(machine, tuning)
    builder.getModulePassManager().run(module, builder)
    module.verify()
    for variable in module.global_variables:
        if variable.name.startswith("numba.dynamic.globals"):
            raise ValueError("a rule reads an array that is too large to be a part of it: its address would be one of this process")
    return bytes(machine.emit_object(module))
