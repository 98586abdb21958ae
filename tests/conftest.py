"""Set-up for all tests: a cache folder of their own, and properties that try the same examples every time."""

from __future__ import annotations

import os
import tempfile

from hypothesis import HealthCheck, settings

os.environ["DDOB_CACHE"] = tempfile.mkdtemp(prefix="ddob-tests-")
os.environ.pop("DDOB_DEBUG", None)
settings.register_profile(
    "repeatable", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("repeatable")
