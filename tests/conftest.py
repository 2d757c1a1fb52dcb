"""How hypothesis runs: the same examples each time, fewer of them than where slow tests run, too."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

thorough = settings(
    deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow], print_blob=True, max_examples=100
)
settings.register_profile("thorough", thorough)
settings.register_profile("quick", thorough, max_examples=20)
settings.load_profile("quick")
