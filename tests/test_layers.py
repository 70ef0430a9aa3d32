"""The direction of imports between packages, and that nobody reaches into a package from outside."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import environment

PACKAGE = Path(__file__).parents[1] / "rocconf"

RECORDS = {
    "wording",
    "visible",
    "examples",
    "messages",
    "errors",
    "bins",
    "bits",
    "conditions",
    "packed_scores",
    "packed_texts",
    "records",
    "saved",
    "seal",
    "threads",
    "whole_numbers",
    "table",
    "metric",
    "naming",
    "answer",
}
"""What every step hands to the next; these modules know each other as listed below."""

ROC = {*RECORDS, "compute.stats", "compute.roc"}
COMPUTE = {
    "compute.stats",
    "compute.roc",
    "compute.counted",
    "compute.sweep",
    "compute.tango",
    "compute.chi2_contours",
    "compute.sensibility",
    "compute.compare",
    "compute.classes",
    "compute.slices",
    "compute.evidence",
    "compute.plan",
}

MAY_IMPORT = {
    "rocconf": {
        "examples",
        "errors",
        "records",
        "read",
        "compute.stats",
        "compute.roc",
        "compute",
        *COMPUTE,
        "gate",
        "api",
    },
    "api": {"read", "gate", *RECORDS, *COMPUTE},
    "wording": set(),
    "visible": set(),
    "examples": set(),
    "messages": {"visible"},
    "errors": {"visible", "messages"},
    "bins": set(),
    "bits": set(),
    "conditions": {"messages", "errors"},
    "dataclass": set(),
    "pattern": set(),
    "packed_scores": {"records", "threads"},
    "packed_texts": {"threads"},
    "threads": set(),
    "records": {"examples", "messages", "errors", "bins", "conditions", "packed_texts"},
    "saved": {"messages", "records", "seal"},
    "seal": {"errors"},
    "whole_numbers": {"examples", "errors", "records", "table"},
    "table": {"messages", "errors", "records"},
    "metric": {"table"},
    "naming": {"errors"},
    "answer": {"rocconf", "wording", "messages", "errors", "records", "seal", "table", "threads", "metric"},
    "engines": {"rocconf", "bins", "examples", "messages", "errors", "records", "read"},
    "read": {
        "visible",
        "examples",
        "messages",
        "errors",
        "bins",
        "bits",
        "conditions",
        "packed_scores",
        "packed_texts",
        "records",
        "saved",
        "seal",
        "naming",
        "threads",
        "whole_numbers",
    },
    "compute": set(),
    "compute.stats": {"messages", "errors", "records", "threads"},
    "compute.roc": RECORDS | {"compute.stats"},
    "compute.counted": ROC,
    "compute.sweep": ROC,
    "compute.tango": ROC,
    "compute.chi2_contours": ROC,
    "compute.sensibility": ROC | {"bits"},
    "compute.compare": ROC | {"compute.sweep", "compute.tango", "compute.sensibility"},
    "compute.classes": ROC | {"compute.compare"},
    "compute.slices": ROC | {"compute.sweep", "compute.compare", "compute.classes"},
    "compute.evidence": ROC | {"compute.compare", "compute.classes"},
    "compute.plan": ROC,
    "gate": RECORDS | COMPUTE,
    "report": {"rocconf", *RECORDS},
    "report.html": {"rocconf", "report", "compute.stats", "compute.roc", *RECORDS},
    "plot": {"rocconf", "report", *RECORDS, *COMPUTE},
    "cli": {"rocconf", "engines", "read", "gate", "report", "plot", *RECORDS, *COMPUTE},
    "__main__": {"visible", "errors", "cli"},
}
"""Which part of the package may know which: records, then compute (stats, roc, the analyses), then gate, report and plot,
and cli around them; read stands beside compute."""

ANYWHERE = {"dataclass", "pattern"}
"""What every part may know."""

OPEN = {"compute.stats", "compute.roc", "api"}
"""Libraries, each module of which is for all to import; of any other package only what its __init__ exports is."""

OF_RECORDS = {"CHUNK", "UNKNOWN", "Counts", "Flags", "Floats", "Interval", "slices"} | {
    "DELONG",
    "INTERVAL_KINDS",
    "IntervalKind",
    "ROBUST",
}
"""What `compute.stats` knows of the records: arrays and intervals, no cases and no models."""

ONLY_IN = {
    "difflib": {"messages"},
    "matplotlib": {"plot"},
    "polars": {"read", "report"},
    "typer": {"cli"},
    "rich": {"cli", "report"},
    "xml": {"report"},
    "zstandard": {"read"},
}
"""Where a dependency may be used at all."""

LATE = {"matplotlib", "pandas", "polars", "rich", "scipy", "zstandard"}
"""What takes long to import, and is imported where it is used."""

LOADED_LATE = {"plot": {"matplotlib"}, "read": {"zstandard"}}
"""What a part has in modules of its own that are themselves loaded where they are used."""

OUTSIDE = {"open", "print", "input"}
"""What reaches the world, which compute must not."""


def part_of(module):
    """Return the part of the package that a module belongs to, such as `compute.tango`."""
    first, *rest = module.split(".") if module else [""]
    if first == "compute" and rest:
        return f"compute.{rest[0]}"
    if (first, *rest[:1]) == ("report", "html"):
        return "report.html"
    return first or "rocconf"


def module_of(path, package):
    inside = path.relative_to(package).with_suffix("")
    parts = inside.parts[:-1] if inside.name == "__init__" else inside.parts
    return ".".join(parts)


def imports_of(tree):
    """Give every import with its line, whether it runs at start-up, and whether it is for types only."""
    late = {id(node) for outer in ast.walk(tree) if isinstance(outer, ast.FunctionDef) for node in ast.walk(outer)}
    typed = {
        id(node)
        for outer in ast.walk(tree)
        if isinstance(outer, ast.If) and ast.unparse(outer.test) == "TYPE_CHECKING"
        for node in ast.walk(outer)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [(alias.name, "") for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [(node.module, alias.name) for alias in node.names]
        else:
            continue
        for module, name in names:
            yield module, name, node.lineno, id(node) not in late | typed, id(node) in typed


def exports_of(module):
    """Return the names that a package exports, one of which may be that of a module."""
    init = PACKAGE.joinpath(*module.split("."), "__init__.py")
    tree = ast.parse(init.read_text(encoding="utf-8")) if init.exists() else ast.Module([], [])
    assigned = (
        node for node in tree.body if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
    )
    return {name for node in assigned for name in ast.literal_eval(node.value)}


def known_modules(package):
    return {module_of(path, package) for path in package.rglob("*.py")}


def breach_of_ours(importer, module, name, modules):
    """Return why a name may not be imported from a module of rocconf; empty if it may."""
    target = module.removeprefix("rocconf").lstrip(".")
    if (
        name and f"{target}.{name}".lstrip(".") in modules and name not in exports_of(target)
    ):  # `from rocconf import plot`
        target = f"{target}.{name}".lstrip(".")
    mine, theirs = part_of(importer), part_of(target)
    if theirs not in MAY_IMPORT:
        theirs = "rocconf"
    if theirs == mine or (mine, theirs) == ("report.html", "report"):
        return breach_within(importer, target)
    if theirs not in MAY_IMPORT[mine] | ANYWHERE:
        return f"{mine} imports {theirs}"
    if theirs not in OPEN and target.count(".") > theirs.count("."):
        return f"{mine} reaches into {theirs}: {target}"
    if mine == "compute.stats" and theirs == "records" and name not in OF_RECORDS:
        return f"{mine} imports {name} of records"
    return ""


def breach_within(importer, target):
    """A package within a package is closed, too, to the modules beside it."""
    package = target.split(".")[:-1]
    if len(package) > len(part_of(target).split(".")) and importer.split(".")[: len(package)] != package:
        return f"{importer} reaches into {'.'.join(package)}: {target}"
    return ""


def breaches(package):
    """List every import against the rules."""
    found = []
    modules = known_modules(PACKAGE) | known_modules(package)
    for path in sorted(package.rglob("*.py")):
        importer, tree = module_of(path, package), ast.parse(path.read_text(encoding="utf-8"))
        part, where = part_of(importer), f"{path.relative_to(package)}"
        top_part = part.split(".")[0]
        for module, name, line, at_start, for_types in imports_of(tree):
            top = module.split(".")[0]
            if top == "rocconf":
                breach = breach_of_ours(importer, module, name, modules)
                found += [f"{where}:{line}: {breach}"] * bool(breach)
            elif not for_types and top_part not in ONLY_IN.get(top, {top_part}):
                found.append(f"{where}:{line}: {top_part} imports {top}")
            elif (module, name) == ("dataclasses", "dataclass") and importer != "dataclass":
                found.append(f"{where}:{line}: rocconf.dataclass has a quicker dataclass")
            elif at_start and top in LATE - LOADED_LATE.get(top_part, set()):
                found.append(f"{where}:{line}: {top} is imported at start-up")
        if top_part == "compute":
            called = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)]
            found += [
                f"{where}:{node.lineno}: compute calls {node.func.id}" for node in called if node.func.id in OUTSIDE
            ]
    return found


def test_no_import_goes_against_the_arrows():
    assert breaches(PACKAGE) == []


def test_what_is_loaded_late_is_not_loaded_with_its_part():
    code = "import sys, rocconf.plot, rocconf.read; sys.exit(bool({'matplotlib', 'zstandard'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], env=environment(), check=False).returncode == 0


def test_every_part_of_the_package_has_its_place():
    assert {part_of(module) for module in known_modules(PACKAGE)} == set(MAY_IMPORT)


@pytest.mark.parametrize(
    ("file", "code"),
    [
        ("compute/roc/auc.py", "from rocconf.read import read_predictions"),
        ("compute/roc/auc.py", "from rocconf import report"),
        ("compute/roc/auc.py", "import rocconf.cli.run"),
        ("compute/roc/auc.py", "def f():\n    from rocconf.plot import draw"),
        ("compute/roc/auc.py", "from rocconf.compute.tango import tango"),
        ("compute/roc/auc.py", "print(1)"),
        ("compute/roc/auc.py", "def f(p):\n    return open(p)"),
        ("compute/roc/auc.py", "import scipy.special"),
        ("compute/roc/auc.py", "def f():\n    import polars as pl"),
        ("compute/stats/chi2.py", "from rocconf.compute.roc.curve import Curve"),
        ("compute/stats/chi2.py", "from rocconf.records import ScoreCounts"),
        ("compute/sweep.py", "from rocconf.compute.tango import tango"),
        ("compute/tango/segment.py", "from rocconf.compute.evidence import Measure"),
        ("compute/sensibility/curves.py", "from rocconf.compute.compare import compare"),
        ("compute/compare/model.py", "from rocconf.compute.tango.segment import MEASURES"),
        ("compute/compare/model.py", "from rocconf.compute.compare.bands.binormal import fit_binormal"),
        ("compute/evidence/of_results.py", "def f():\n    from rocconf.compute.compare.pairs import Pair"),
        ("gate/apply_rules.py", "from rocconf.read import read_report"),
        ("gate/apply_rules.py", "from rocconf.compute.tango.segment import MEASURES"),
        ("read/text.py", "from rocconf.compute.roc.counts import count"),
        ("read/text.py", "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from rocconf.answer import Answer"),
        ("read/text.py", "from difflib import get_close_matches"),
        ("report/human.py", "def f():\n    import matplotlib.pyplot as plt"),
        ("report/human.py", "from rocconf.gate import Verdict"),
        ("report/human.py", "from rocconf.compute.roc.curve import curve"),
        ("report/html/page.py", "from rocconf.compute.sweep import sweep"),
        ("plot/roc.py", "from rocconf.report.files import replacing"),
        ("plot/roc.py", "from rocconf.compute.compare.bands import Band"),
        ("cli/run.py", "def f():\n    from rocconf.gate.verdict import overall"),
        ("cli/run.py", "from rocconf.read import source"),
        ("table.py", "import pandas as pd"),
        ("records.py", "from rocconf.table import Table"),
        ("read/cases.py", "from dataclasses import dataclass"),
        ("messages/__init__.py", "from rocconf.errors import RocconfError"),
    ],
)
def test_a_planted_breach_is_found(tmp_path, file, code):
    path = tmp_path / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(code, encoding="utf-8")
    assert len(breaches(tmp_path)) == 1


@pytest.mark.parametrize(
    ("file", "code"),
    [
        ("compute/compare/model.py", "from rocconf.compute.compare.bands import band"),
        ("compute/compare/bands/band_kinds.py", "from rocconf.compute.compare.bands.binormal import fit_binormal"),
        ("compute/sweep.py", "from rocconf.compute.stats.proportion import wilson"),
        ("plot/roc.py", "from rocconf.compute.roc.curve import curve"),
        ("cli/run.py", "def f():\n    from rocconf import plot"),
        ("read/delimited/quick.py", "from rocconf.read.source import DAMAGE"),
    ],
)
def test_what_is_allowed_is_no_breach(tmp_path, file, code):
    path = tmp_path / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(code, encoding="utf-8")
    assert breaches(tmp_path) == []
