"""The editor's server: from what an author types to findings, completions, links, hints and edits.

It asks the same checker as `ddob check`, for texts that are not saved yet too; there is no second front end
and no second grammar. How an editor draws what it is told is the editor's business.
"""
