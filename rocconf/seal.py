"""The seal of a report: the digest of what it says, by which every change is found that is not one of form."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

SCHEMA = 3
"""The version of the JSON keys, increased when a key is renamed or removed."""

EMBEDDED = '<script type="application/json" id="report">'
"""How the report begins in a page."""

HAVE_THRESHOLDS = ("sweep", "tango", "chi2-contours", "sensibility", "count")
"""The commands whose rows are of thresholds or scores, which are not sealed: there may be millions, and nothing rests on them."""


def digest_of(report: Mapping[str, Any]) -> str:
    """Return the SHA-256 of a report in its canonical form.

    The keys are sorted, there is no white space, and numbers are equal if their values are: a report may be formatted
    anew. A number that is not finite raises ValueError.
    """
    import json  # only who writes or reads a report needs it
    from hashlib import sha256

    parts = str(report.get("schema")).split("/")
    unsealed = {"digest", "rows"} if parts[1:2] and parts[1] in HAVE_THRESHOLDS else {"digest"}
    sealed = _canonical({key: value for key, value in report.items() if key not in unsealed})
    return sha256(json.dumps(sealed, sort_keys=True, separators=(",", ":"), allow_nan=False).encode()).hexdigest()


def _canonical(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _canonical(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_canonical(each) for each in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value
