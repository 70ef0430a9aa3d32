"""The machine and the versions that numbers were measured with."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from workloads import r_packages

PACKAGES = ("rocconf", "numpy", "polars", "typer", "rich", "pandas", "pyarrow", "scikit-learn", "duckdb")

PRINT_SIMD = """
import json, numpy
extensions = numpy.show_config(mode="dicts")["SIMD Extensions"]
print(json.dumps([*extensions.get("baseline", []), *extensions.get("found", [])]))
"""


def description() -> dict[str, str]:
    """Return a description of the machine and the versions."""
    return {
        "processor": _processor(),
        "cores": str(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()),
        "SIMD": _simd(),
        "memory": _memory(),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "Python": platform.python_version(),
        "packages": ", ".join(filter(None, map(_version, PACKAGES))),
        "R": ", ".join(f"{name} {number}" for name, number in r_packages().items()) or "not installed",
    }


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text().splitlines():
            key, _, value = line.partition(":")
            if key.strip() == "model name" and value.strip() not in ("", "unknown"):
                return value.strip()
    return platform.processor() or platform.machine()


def _simd() -> str:
    """Return the instruction sets that numpy uses; the speed of np.sort depends on them."""
    done = subprocess.run([sys.executable, "-c", PRINT_SIMD], capture_output=True, text=True, check=False)
    return ", ".join(json.loads(done.stdout)) if done.returncode == 0 else "unknown"


def _memory() -> str:
    try:
        return f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 1e9:.0f} GB"
    except (ValueError, OSError, AttributeError):
        return "unknown"


def _version(package: str) -> str:
    try:
        return f"{package} {version(package)}"
    except PackageNotFoundError:
        return ""
