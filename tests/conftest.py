"""Set-up for all tests: a cache folder of their own, and properties that try the same examples every time."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile

from hypothesis import HealthCheck, settings

if "PYTEST_XDIST_WORKER" not in os.environ:
    # Workers have it from whoever started them: what one of them has compiled serves the others too.
    os.environ["DDOB_CACHE"] = tempfile.mkdtemp(prefix="ddob-tests-")
    atexit.register(shutil.rmtree, os.environ["DDOB_CACHE"], ignore_errors=True)
os.environ.pop("DDOB_DEBUG", None)
settings.register_profile(
    "repeatable", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("repeatable")
