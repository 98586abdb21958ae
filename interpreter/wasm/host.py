"""The one place that knows wasmtime: from text to a module, from that to memory and functions.

A call through wasmtime's Python functions takes some 60 microseconds, through the function of its library
below them two or three; so calls are prepared once, with room for their arguments. Where there is no wasmtime
for a platform, `available` says so, and nothing else here is used.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from typing import Any

try:
    import wasmtime
    from wasmtime import _bindings as ffi
except (ImportError, OSError):  # no wheel for this platform
    wasmtime = None
    ffi = None

#: What may be imported from the host, by name: how many numbers it takes, and whether it gives one.
Imports = tuple[tuple[Callable[..., int | None], int, bool], ...]


def available() -> bool:
    return wasmtime is not None


def version() -> str:
    """What compiled code depends on."""
    from importlib import metadata  # which takes a while to load, and few need it

    return metadata.version("wasmtime")


@cache
def _engine() -> Any:
    config = wasmtime.Config()
    config.wasm_tail_call = True
    config.cranelift_opt_level = "speed"
    return wasmtime.Engine(config)


class Code:
    """A compiled module, which any number of instances share."""

    def __init__(self, module: Any) -> None:
        self.module = module

    def stored(self) -> bytes:
        """What `code_from_stored` makes it of again, on the same sort of machine."""
        return bytes(self.module.serialize())


def code_from_text(text: str) -> Code:
    return Code(wasmtime.Module(_engine(), bytes(wasmtime.wat2wasm(text))))


def code_from_stored(data: bytes) -> Code | None:
    """The module, unless the bytes are from another version or machine."""
    try:
        return Code(wasmtime.Module.deserialize(_engine(), data))
    except wasmtime.WasmtimeError:
        return None


class Stopped(Exception):
    """The module has stopped itself; its globals say why."""


class Instance:
    """A module with memory of its own."""

    def __init__(self, code: Code, imports: Imports) -> None:
        self.store = wasmtime.Store(_engine())
        self.context = self.store._context()
        number = wasmtime.ValType.i32()
        functions = [
            wasmtime.Func(
                self.store, wasmtime.FuncType([number] * takes, [number] if gives else []), function
            )
            for function, takes, gives in imports
        ]
        instance = wasmtime.Instance(self.store, code.module, functions)
        self.exports = instance.exports(self.store)
        self._memory = self.exports["memory"]
        self._size = 0
        self._view = memoryview(b"")

    @property
    def memory(self) -> memoryview:
        """The memory as it is now; it may have grown."""
        size = self._memory.data_len(self.store)
        if size != self._size:
            self._size = size
            self._view = memoryview(self._memory.get_buffer_ptr(self.store)).cast("B")
        return self._view

    def number(self, name: str) -> int:
        """The value of a global."""
        return int(self.exports[name].value(self.store))

    def set_number(self, name: str, value: int) -> None:
        self.exports[name].set_value(self.store, value)

    def function(self, name: str) -> Callable[..., int]:
        return _Call(self, name)


class _Call:
    """One function of an instance, called with numbers; gives 0 where the function gives nothing."""

    def __init__(self, instance: Instance, name: str) -> None:
        self._instance = instance  # which must live as long as its functions
        self._context = instance.context
        function = instance.exports[name]
        kind = function.type(instance.store)
        self._fields = ["i64" if str(one) == "i64" else "i32" for one in kind.params]
        self._result = ["i64" if str(one) == "i64" else "i32" for one in kind.results]
        self._room = (ffi.wasmtime_val_raw_t * max(1, len(self._fields), len(self._result)))()
        self._function = function._func
        self._trap = ctypes.POINTER(ffi.wasm_trap_t)

    def __call__(self, *arguments: int) -> int:
        room = self._room
        for slot, field, value in zip(room, self._fields, arguments, strict=False):
            setattr(slot, field, value)
        trap = self._trap()
        error = ffi.wasmtime_func_call_unchecked(
            self._context, ctypes.byref(self._function), room, len(room), ctypes.byref(trap)
        )
        if error:
            raise wasmtime.WasmtimeError._from_ptr(error)
        if trap:
            raise Stopped from wasmtime.Trap._from_ptr(trap)
        return int(getattr(room[0], self._result[0])) if self._result else 0
