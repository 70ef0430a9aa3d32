"""The direction of imports: read -> records -> compute -> report / plot, and cli around them."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import environment

PACKAGE = Path(__file__).parents[1] / "rocconf"

MAY_IMPORT = {
    "rocconf": {"errors", "records", "read", "compute"},
    "messages": set(),
    "errors": {"messages"},
    "naming": {"errors"},
    "records": {"messages", "errors"},
    "saved": {"records"},
    "table": {"messages", "errors", "records"},
    "answer": {"rocconf", "messages", "errors", "records", "table"},
    "read": {"messages", "errors", "naming", "records", "saved"},
    "compute": {"messages", "errors", "records", "table", "answer"},
    "gate": {"messages", "errors", "naming", "records", "saved", "table", "answer", "compute"},
    "report": {"rocconf", "messages", "errors", "table", "answer"},
    "plot": {"rocconf", "messages", "errors", "records", "table", "answer", "compute", "report"},
    "cli": {"rocconf", "messages", "errors", "naming", "records", "saved", "table", "answer", "read", "compute", "gate", "report", "plot"},
    "__main__": {"errors", "cli"},
}
"""Which part of the package may know which."""

ONLY_IN = {
    "matplotlib": {"plot"},
    "polars": {"read", "report"},
    "typer": {"cli"},
    "rich": {"cli", "report"},
    "zstandard": {"read"},
}
"""Where a dependency may be used at all."""

LATE = {"matplotlib", "pandas", "polars", "rich", "scipy", "zstandard"}
"""What takes long to import, and is imported where it is used."""

LOADED_LATE = {"plot": {"matplotlib"}, "read": {"zstandard"}}
"""What a part has in modules of its own that are themselves loaded where they are used."""

OUTSIDE = {"open", "print", "input"}
"""What reaches the world, which compute must not."""


def part_of(path, package):
    inside = path.relative_to(package)
    return "rocconf" if inside.name == "__init__.py" and len(inside.parts) == 1 else inside.parts[0].removesuffix(".py")


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
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            yield name, node.lineno, id(node) not in late | typed, id(node) in typed


def breaches(package):
    """List every import against the arrows."""
    found = []
    for path in sorted(package.rglob("*.py")):
        part, tree = part_of(path, package), ast.parse(path.read_text(encoding="utf-8"))
        where = f"{path.relative_to(package)}"
        for name, line, at_start, for_types in imports_of(tree):
            top, _, rest = name.partition(".")
            if top == "rocconf":
                known = rest.split(".")[0]
                known = known if known in MAY_IMPORT else "rocconf"
                if known != part and known not in MAY_IMPORT[part]:
                    found.append(f"{where}:{line}: {part} imports {known}")
            elif not for_types and part not in ONLY_IN.get(top, {part}):
                found.append(f"{where}:{line}: {part} imports {top}")
            elif at_start and top in LATE - LOADED_LATE.get(part, set()):
                found.append(f"{where}:{line}: {top} is imported at start-up")
        if part == "compute":
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
    parts = {part_of(path, PACKAGE) for path in PACKAGE.rglob("*.py")}
    assert parts == set(MAY_IMPORT)


@pytest.mark.parametrize(
    ("file", "code"),
    [
        ("compute/auc.py", "from rocconf.read import read_predictions"),
        ("compute/auc.py", "from rocconf import report"),
        ("compute/auc.py", "import rocconf.cli.shell"),
        ("compute/auc.py", "def f():\n    from rocconf.plot import draw"),
        ("compute/auc.py", "print(1)"),
        ("compute/auc.py", "def f(p):\n    return open(p)"),
        ("read/csv.py", "from rocconf.compute import count"),
        ("read/csv.py", "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from rocconf.answer import Answer"),
        ("report/human.py", "def f():\n    import matplotlib.pyplot as plt"),
        ("compute/auc.py", "import scipy.special"),
        ("table.py", "import pandas as pd"),
        ("records.py", "from rocconf.table import Table"),
        ("compute/auc.py", "def f():\n    import polars as pl"),
    ],
)
def test_a_planted_breach_is_found(tmp_path, file, code):
    path = tmp_path / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(code, encoding="utf-8")
    assert len(breaches(tmp_path)) == 1
