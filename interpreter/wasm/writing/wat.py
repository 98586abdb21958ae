"""Functions and modules in the text form of WebAssembly, laid out so that a person can read them.

Instructions are written folded, each inside the one that takes its value: `(i32.add (local.get $a) ...)`. So
a value is a piece of text that can stand inside another, and only what must happen before it is a line.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal

ValueType = Literal["i32", "i64"]


def i32(value: int) -> str:
    return f"(i32.const {int(value)})"


def i64(value: int) -> str:
    """A word of 64 bits; numbers from 2**63 on are written as the negative ones with the same bits."""
    value = int(value) & (1 << 64) - 1
    return f"(i64.const {value - (1 << 64) if value >> 63 else value})"


def get(name: str) -> str:
    return f"(local.get ${name})"


def constant(text: str) -> int | None:
    """The number that a text is, if it is a constant."""
    if text.startswith(("(i32.const ", "(i64.const ")):
        inner = text[11:-1]
        return int(inner) if " " not in inner else None
    return None


def add(left: str, right: str | int) -> str:
    """The sum of two addresses, written as one number where both are known."""
    amount = right if isinstance(right, int) else constant(right)
    known = constant(left)
    if amount == 0:
        return left
    if amount is not None and known is not None:
        return i32(known + amount)
    return f"(i32.add {left} {i32(amount) if amount is not None else right})"


def times(value: str, size: int) -> str:
    """An index as a distance in bytes."""
    known = constant(value)
    if known is not None:
        return i32(known * size)
    if size == 1:
        return value
    if size & size - 1 == 0:
        return f"(i32.shl {value} {i32(size.bit_length() - 1)})"
    return f"(i32.mul {value} {i32(size)})"


@dataclass(eq=False, slots=True)
class Function:
    """One function while it is written. `frame` is what it needs of the stack for sets of several words."""

    name: str
    parameters: list[tuple[str, ValueType]] = field(default_factory=list)
    result: ValueType | None = None
    export: str = ""
    comment: str = ""
    rule: str = ""  # whose rule it is
    watch: tuple[int, int] | None = None  # where it writes that it runs, and what
    locals: dict[str, ValueType] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)
    depth: int = 2
    frame: int = 0
    allots: bool = False  # it takes lists from the stack, so the stack must be put back
    keeps: bool = False  # what it took from the stack is still needed by its caller
    counter: int = 0

    def line(self, text: str) -> None:
        self.lines.append("  " * self.depth + text)

    def fresh(self, kind: ValueType, hint: str = "t") -> str:
        """A new local."""
        self.counter += 1
        name = f"{safe(hint)}_{self.counter}"
        self.locals[name] = kind
        return name

    def set(self, name: str, value: str) -> None:
        self.line(f"(local.set ${name} {value})")

    def held(self, value: str, kind: ValueType, hint: str = "t") -> str:
        """A value that can be used more than once: itself where it is short, else a local."""
        if value.startswith(("(local.get ", "(i32.const ", "(i64.const ")):
            return value
        name = self.fresh(kind, hint)
        self.set(name, value)
        return get(name)

    def room(self, size: int) -> str:
        """The address of so many bytes that are this function's own as long as it runs."""
        place = self.frame
        self.frame += size + 7 & ~7
        return add(get("frame"), place)

    def clear(self, address: str, size: int) -> None:
        """Fills a place with 0; few words one by one, because the instruction for blocks calls a library."""
        if size > _FEW_BYTES:
            self.line(f"(memory.fill {address} (i32.const 0) {i32(size)})")
            return
        address = self.held(address, "i32", "place")
        for offset in range(0, size, 8):
            self.line(f"(i64.store offset={offset} {address} (i64.const 0))")

    def copy(self, to: str, start: str, size: int) -> None:
        """Copies words that lie elsewhere."""
        if size > _FEW_BYTES:
            self.line(f"(memory.copy {to} {start} {i32(size)})")
            return
        to, start = self.held(to, "i32", "to"), self.held(start, "i32", "from")
        for offset in range(0, size, 8):
            self.line(f"(i64.store offset={offset} {to} (i64.load offset={offset} {start}))")

    @contextmanager
    def when(self, condition: str) -> Iterator[Branch]:
        self.line(f"(if {condition} (then")
        self.depth += 1
        yield Branch(self)
        self.depth -= 1
        self.line("))")

    @contextmanager
    def block(self, hint: str = "done") -> Iterator[str]:
        """Lines that can be left at once by a branch to the label."""
        self.counter += 1
        label = f"${hint}_{self.counter}"
        self.line(f"(block {label}")
        self.depth += 1
        yield label
        self.depth -= 1
        self.line(")")

    @contextmanager
    def loop(self, hint: str = "again") -> Iterator[str]:
        """Lines that are done again by a branch to the label."""
        self.counter += 1
        label = f"${hint}_{self.counter}"
        self.line(f"(loop {label}")
        self.depth += 1
        yield label
        self.depth -= 1
        self.line(")")

    def leave(self, value: str = "") -> None:
        """Returns from the middle of the function; the value is worked out before the stack is put back."""
        if value and not value.startswith(("(local.get ", "(i32.const ", "(i64.const ")):
            assert self.result is not None
            value = self.held(value, self.result, "result")
        self.line(_RESTORE)
        self.line(f"(return {value})" if value else "(return)")

    def begin(self) -> None:
        """From here on the function may use the stack; before, it may only return."""
        self.lines.append(_FRAME)

    def text(self) -> str:
        """The whole function."""
        if _FRAME not in self.lines:
            self.lines.insert(0, _FRAME)
        head = [f"(func ${self.name}"]
        if self.export:
            head.append(f'(export "{self.export}")')
        head += [f"(param ${name} {kind})" for name, kind in self.parameters]
        if self.result is not None:
            head.append(f"(result {self.result})")
        lines = [f"  ;; {self.comment}"] if self.comment else []
        lines.append("  " + " ".join(head))
        framed = self.frame > 0 or self.allots
        if framed:
            self.locals["frame"] = "i32"
        if self.watch is not None:
            self.locals["outer"] = "i32"
        lines += [f"    (local ${name} {kind})" for name, kind in self.locals.items()]
        restore = []
        if self.watch is not None:
            place, number = (i32(one) for one in self.watch)
            lines.append(f"    (local.set $outer (i32.load {place}))")
            lines.append(f"    (i32.store {place} {number})")
            restore.append(f"(i32.store {place} (local.get $outer))")
        for line in self.lines:
            if line.endswith(_RESTORE):
                lines += [line.removesuffix(_RESTORE) + one for one in restore]
            elif line == _FRAME:
                lines += _taken(self.frame) if framed else []
                restore += ["(global.set $stack (local.get $frame))"] if framed and not self.keeps else []
            else:
                lines.append(line)
        return "\n".join([*lines, "  )"])


@dataclass(eq=False, slots=True)
class Branch:
    function: Function

    def otherwise(self) -> None:
        """What follows is done where the condition does not hold."""
        self.function.depth -= 1
        self.function.line(") (else")
        self.function.depth += 1


#: Blocks of so many bytes are stored word by word.
_FEW_BYTES = 128
#: Stands where the stack is put back, if the function turns out to use it.
_RESTORE = ";; restore"
#: Stands where the function takes what it needs of the stack.
_FRAME = ";; frame"


def _taken(size: int) -> list[str]:
    """Takes so many bytes of the stack; few functions ever need more memory for that."""
    lines = ["(local.set $frame (global.get $stack))"]
    if size:
        lines.append(f"(global.set $stack (i32.add (local.get $frame) {i32(size)}))")
        full = "(i32.gt_u (global.get $stack) (i32.shl (memory.size) (i32.const 16)))"
        lines.append(f"(if {full} (then (call $grow {i32(size)})))")
    return [f"    {line}" for line in lines]


_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")


def safe(name: str) -> str:
    """A name that WebAssembly accepts, different for different names."""
    return "".join(letter if letter in _LETTERS else f".{ord(letter):x}." for letter in name)


def comment(text: str) -> str:
    return "".join(letter if " " <= letter <= "~" else "?" for letter in text)


@dataclass(eq=False, slots=True)
class Module:
    """Functions, and memory in which places are given out one behind the other."""

    functions: dict[str, Function] = field(default_factory=dict)
    filled: list[tuple[int, bytes]] = field(default_factory=list)  # what the host writes before anything runs
    size: int = 16  # address 0 stands for no list

    def reserve(self, size: int, align: int = 8) -> int:
        """The address of so many bytes, all 0."""
        self.size = -(-self.size // align) * align
        place = self.size
        self.size += size
        return place

    def fill(self, data: bytes) -> int:
        """The address of these bytes."""
        place = self.reserve(len(data))
        self.filled.append((place, data))
        return place

    def add(self, function: Function) -> None:
        self.functions[function.name] = function
