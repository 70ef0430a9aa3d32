"""The addresses of the project in its metadata: those of the repository that a wheel or an sdist is built from.

They are not written down, so that a fork never points to a place that is not its own: they come from the variables of
a GitHub workflow, or else from the remote `origin` of the clone. Without either there are none.
"""

from __future__ import annotations

import os
import re
import subprocess
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

REMOTE = re.compile(
    r"(?:https://(?:[^/@]*@)?|(?:ssh://)?git@)(?P<host>[\w.-]+\.[a-z]+)[/:](?P<path>[\w.-]+/[\w.-]+?)(?:\.git)?/?"
)
"""A public address of a repository; a user name or a token in it is left out."""


class Addresses(MetadataHookInterface):
    """What hatchling asks for the dynamic part of the metadata."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the addresses, if there are any."""
        metadata["urls"] = urls_of(address(os.environ, self.root))


def address(environment: Any, folder: str) -> str:
    """Return the address of the repository, or an empty text."""
    if "GITHUB_REPOSITORY" in environment:
        return f"{environment.get('GITHUB_SERVER_URL', 'https://github.com')}/{environment['GITHUB_REPOSITORY']}"
    try:
        done = subprocess.run(
            ["git", "-C", folder, "remote", "get-url", "origin"], capture_output=True, text=True, check=False
        )
    except OSError:  # no git
        return ""
    found = REMOTE.fullmatch(done.stdout.strip())
    return f"https://{found['host']}/{found['path']}" if found else ""


def urls_of(repository: str) -> dict[str, str]:
    """Return the addresses of the pages of a repository."""
    if not repository:
        return {}
    pages = {
        "Source": "",
        "Documentation": "/tree/main/docs",
        "Changelog": "/blob/main/CHANGELOG.md",
        "Issues": "/issues",
        "Security": "/security/policy",
    }
    return {name: f"{repository}{page}" for name, page in pages.items()}
