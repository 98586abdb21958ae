"""Lines that list every legal use of the actions of a group: loop in loop, as the pass has arranged them."""

from __future__ import annotations

from interpreter import ir
from interpreter.compiler.emit import Emitter, Shared, Writer
from interpreter.passes.lowered import Listing

#: Stands for more loops inside.
_ANYTHING = ir.Call(name="", arguments=(), type=ir.FLAG)


def write_options(shared: Shared, writer: Writer, listing: Listing, actor: str) -> None:
    """Lines that add every legal use of an action to the options: the action's number and its arguments."""
    counter = [listing.action * 1000]
    names = {listing.actor: actor}
    depth = writer.depth
    if shared.settings.cover and listing.site.rule:
        writer.line(f"COVER.add({shared.number(listing.site)})")

    def test(tests: tuple[ir.Expression, ...]) -> None:
        for one in tests:
            writer.line(f"if {Emitter(shared, writer, names, counter).expr(one)}:")
            writer.depth += 1

    test(listing.tests)
    for position, loop in enumerate(listing.loops):
        inside = loop.tests if position == len(listing.loops) - 1 else _ANYTHING
        name = loop.parameter.name
        ending, inner = Emitter(shared, writer, names, counter).loop(name, loop.source, inside)
        assert not ending, "actions go through extents, sets and lists only"
        names[name] = inner.names[name]
        test(loop.tests)
    values = (str(listing.action), *(names[loop.parameter.name] for loop in listing.loops))
    writer.line(f"o.append(({''.join(f'{value}, ' for value in values)}))")
    writer.depth = depth
