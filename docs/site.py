"""What the site needs beside docs/: pages that stand elsewhere in the repository, and links to what is no page.

mkdocs calls these functions (`hooks` in mkdocs.yml).
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from functools import cache
from pathlib import Path, PurePosixPath
from posixpath import normpath
from runpy import run_path
from tempfile import TemporaryDirectory
from typing import Any

from mkdocs.structure.files import File

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from hatch_build import address  # noqa: E402  # a module of the repository's root, which is on the path only from here on

PAGES = {
    "README.md": "index.md",
    "CHANGELOG.md": "changelog.md",
    "SECURITY.md": "security.md",
    "benchmarks/RESULTS.md": "results.md",
    "benchmarks/SIMULATIONS.md": "simulations.md",
}
"""The pages that stand outside docs/, and their names on the site."""

SOURCE_OF = {name: source for source, name in PAGES.items()}
LINK = re.compile(r"(?P<picture>!?)\[(?P<text>(?:[^\[\]]|\[[^\]]*\])*)\]\((?P<target>[^)\s]+)\)")
FENCE = re.compile(r"(^ *```.*?^ *```[^\n]*$)", re.MULTILINE | re.DOTALL)


EXAMPLES = re.search("```sh\n(.*?)```\n", (ROOT / "docs" / "html.md").read_text(encoding="utf-8"), re.DOTALL)
"""The commands whose pages the site shows as they are, to be moved in a browser."""

PAGE_OF = {"count": "scale.md"}
"""The document of a command, if it has another name."""


@cache
def live() -> dict[str, tuple[str, str]]:
    """Return the command and the page that it writes, for each of the examples by the name of its file."""
    assert EXAMPLES
    found = {}
    with TemporaryDirectory() as folder:
        (Path(folder) / "sample_data").symlink_to(ROOT / "sample_data")
        for line in EXAMPLES[1].splitlines():
            _, command, *arguments = shlex.split(line)
            run = [sys.executable, "-m", "rocconf", command, *arguments, "--isolated", "-q"]
            done = subprocess.run(run, cwd=folder, capture_output=True, text=True, check=False)
            if done.returncode not in {0, 1, 3}:
                raise RuntimeError(f"{line}\n{done.stderr}")
            found[arguments[-1]] = command, (Path(folder) / arguments[-1]).read_text(encoding="utf-8")
    return found


def on_files(files: Any, config: Any) -> Any:
    """Add the pages that stand outside docs/."""
    for source, name in PAGES.items():
        files.append(File.generated(config, name, content=(ROOT / source).read_text(encoding="utf-8")))
    files.append(File.generated(config, "api.md", content=run_path(str(ROOT / "docs" / "api.py"))["page"]()))
    for name, (_, page) in live().items():
        files.append(File.generated(config, f"live/{name}", content=page))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Make the links of a page lead to pages of the site, or to the repository."""
    source = PurePosixPath(SOURCE_OF.get(page.file.src_uri, f"docs/{page.file.src_uri}"))
    parts = FENCE.split(markdown)
    linked = "".join(
        part if at % 2 else LINK.sub(lambda found: _link(found, source), part) for at, part in enumerate(parts)
    )
    return _with_examples(linked, page.file.src_uri)


def _with_examples(markdown: str, name: str) -> str:
    """Return a document with links to the pages that its command wrote, or to all of them."""
    assert EXAMPLES
    links = {
        file: f"[{file}](live/{file})"
        for file, (command, _) in live().items()
        if name in {"html.md", PAGE_OF.get(command, f"{command}.md")}
    }
    if name == "html.md":
        return markdown.replace(
            EXAMPLES[0], f"{EXAMPLES[0]}\nHere they are, to be tried: {', '.join(links.values())}.\n"
        )
    return f"{markdown}\n\nAs a page to open and to move: {', '.join(links.values())}.\n" if links else markdown


def _link(found: re.Match[str], source: PurePosixPath) -> str:
    """Return a link as the site has it."""
    target, _, anchor = found["target"].partition("#")
    if re.match(r"\w+:", target) or not target:
        return found[0]
    path = normpath(str(source.parent / target))
    if path in PAGES:
        place = PAGES[path]
    elif path.startswith("docs/") and (ROOT / path).is_file() and not path.endswith((".py", ".toml", ".1")):
        place = path.removeprefix("docs/")
    else:
        return _outside(found["text"], path)
    return f"{found['picture']}[{found['text']}]({place}{'#' + anchor if anchor else ''})"


def _outside(text: str, path: str) -> str:
    """Return a link to a file in the repository, or the text alone where the address of the repository is not known."""
    if not (ROOT / path).exists():
        raise FileNotFoundError(path)
    repository = address(os.environ, str(ROOT))
    kind = "tree" if (ROOT / path).is_dir() else "blob"
    return f"[{text}]({repository}/{kind}/main/{path})" if repository else text
