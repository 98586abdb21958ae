"""`python -m ddob_rules` is the `ddob` command."""

from __future__ import annotations

from ddob_rules.command import main

if __name__ == "__main__":
    main()
