"""What is told under the rule that caused it: procedures that only carry out what other rules say.

A pass over the typed form. Such a procedure gets one more parameter, the number of the place in the rules
that it is called from, and hands it on to others of its sort; every engine sees an ordinary parameter. Only
the journal looks at it.
"""

from __future__ import annotations

from dataclasses import replace

from interpreter import ir
from interpreter.ir.walk import parts, rewritten

#: A local that no author can name.
CAUSE = " cause"
_PARAMETER = ir.Parameter(name=CAUSE, type=ir.NUMBER)
_HANDED_ON = ir.Local(name=CAUSE, type=ir.NUMBER)


def causes_of(program: ir.Program) -> tuple[ir.Site, ...]:
    """The places that call procedures of this sort, by number."""
    citing = {procedure.name for procedure in program.procedures if procedure.cites_cause}
    found: dict[ir.Site, None] = {}
    if not citing:
        return ()
    for part in parts((program.procedures, program.actions, program.tables, program.victories)):
        if isinstance(part, ir.Perform) and part.name in citing:
            found[part.site] = None
    return tuple(sorted(found, key=lambda site: (site.rule, site.file, site.line, site.column)))


def with_causes(program: ir.Program) -> ir.Program:
    """The same program, in which procedures of this sort are told their cause."""
    citing = {procedure.name for procedure in program.procedures if procedure.cites_cause}
    if not citing:
        return program
    numbers = {site: number for number, site in enumerate(causes_of(program))}

    def named(part: object) -> object:
        if not isinstance(part, ir.Perform) or part.name not in citing:
            return part
        cause = ir.Const(value=numbers[part.site], type=ir.NUMBER)
        return replace(part, arguments=(*part.arguments, cause))

    def handed_on(part: object) -> object:
        if not isinstance(part, ir.Perform) or part.name not in citing:
            return part
        return replace(part, arguments=(*part.arguments, _HANDED_ON))

    procedures = tuple(
        replace(one, parameters=(*one.parameters, _PARAMETER), body=rewritten(one.body, handed_on))
        if one.cites_cause
        else replace(one, body=rewritten(one.body, named))
        for one in program.procedures
    )
    return replace(
        program, procedures=procedures, actions=rewritten(program.actions, named),
        tables=rewritten(program.tables, named), victories=rewritten(program.victories, named),
    )  # fmt: skip
