"""From YAML to a scenario: schema, includes, bases, maps drawn as rows, pieces, set-ups.

In: a file and the program whose words it uses. Out: `interpreter.machine.scenario.Scenario`, and findings.
"""
