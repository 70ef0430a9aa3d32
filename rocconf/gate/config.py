"""The configuration, rocconf.toml or [tool.rocconf] in pyproject.toml: defaults for the data, and rules.

The file is searched in the working directory, then in its parents. An unknown key is an error with a suggestion.
"""

from __future__ import annotations

from dataclasses import field, replace
from math import inf
from typing import TYPE_CHECKING, Any

from rocconf.conditions import parse_conditions
from rocconf.dataclass import dataclass
from rocconf.errors import InputError, UsageError
from rocconf.gate.rule import WORDS, GateRule, parse_metric, split_by
from rocconf.messages import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from pathlib import Path

    from rocconf.conditions import Condition
    from rocconf.errors import RocconfError

OWN_FILE = "rocconf.toml"
SHARED_FILE = "pyproject.toml"
OWN = "rocconf"
"""The section of the shared file, within [tool]."""

DATA: dict[str, tuple[type, ...]] = {
    "label": (str,),
    "score": (str, list),
    "id": (str,),
    "model": (str,),
    "positive": (str, int, bool),
    "rest": (bool,),
    "lower_is_positive": (bool,),
    "where": (dict, str, list),
    "cluster": (str,),
    "na": (str,),
    "delimiter": (str,),
    "no_examples": (bool,),
    "baseline": (str,),
}
GATE: dict[str, tuple[type, ...]] = {
    "command": (str,),
    "name": (str,),
    "metric": (str,),
    "at": (str,),
    "op": (str,),
    "value": (int, float),
    "level": (int, float),
    "severity": (str,),
    "where": (dict, str, list),
    "by": (str,),
    "on_undefined": (str,),
    "allow_identical": (bool,),
}
WANTED = ("command", "metric", "op", "value")


@dataclass(frozen=True, slots=True)
class Config:
    """The defaults and rules of a configuration file."""

    path: Path | None = None
    data: dict[str, Any] = field(default_factory=dict)
    gates: tuple[tuple[str, GateRule], ...] = ()
    """The rules, each with its command."""
    is_root: bool = False
    """Whether rules in folders above do not count."""

    def rules(self, command: str) -> tuple[GateRule, ...]:
        """Return the rules of a command."""
        return tuple(rule for of, rule in self.gates if of == command)


def find_config(folder: Path, commands: Collection[str]) -> Config:
    """Return the nearest configuration at or above a folder, or an empty one; without rules it may not hide any above."""
    nearest: Config | None = None
    for place in (folder, *folder.parents):
        if nearest is not None:
            if (other := _rules_in(place)) is not None:
                raise UsageError("config-hides-rules", path=nearest.path, other=other)
        elif (path := _config_in(place)) is not None:
            nearest = read_config(path, commands)
            if nearest.gates or nearest.is_root:
                return nearest
    return nearest or Config()


def _rules_in(place: Path) -> Path | None:
    """Return a file with rules in a folder above; files that do not mention them may be of any content."""
    for path, words in ((place / OWN_FILE, (b"gate",)), (place / SHARED_FILE, (b"gate", OWN.encode()))):
        if path.is_file():
            content = _content(path).lower()
            may_have_rules = b"\\u" in content or b"\0" in content or all(word in content for word in words)
            if may_have_rules and (_section(path) or {}).get("gate"):
                return path
    return None


def _config_in(place: Path) -> Path | None:
    """Return the configuration in a folder, if there is one."""
    own, shared = place / OWN_FILE, place / SHARED_FILE
    is_shared = _exists(shared) and _section(shared) is not None
    if not _exists(own):
        return shared if is_shared else None
    if is_shared:
        raise UsageError("config-twice", path=own, other=shared)
    return own


def _exists(path: Path) -> bool:
    """Whether there is something of this name, also a link that leads nowhere: it may be meant to have rules."""
    try:
        path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        raise UsageError("config-unreadable", path=path, why=error.strerror or error) from None
    return True


def read_config(path: Path, commands: Collection[str]) -> Config:
    """Return the configuration of a file."""
    section = _section(path)
    if section is None:
        raise UsageError("config-no-section", path=path)
    _require_keys(
        path,
        section,
        {"root": (bool,), "data": (dict,), "gate": (list,)},
        "[tool.rocconf]" if path.name == SHARED_FILE else "",
    )
    data, gates = section.get("data", {}), section.get("gate", [])
    _require_keys(path, data, DATA, "[data]")
    rules, faults = [], []
    for number, gate in enumerate(gates, 1):
        try:
            rules.append(_gate(path, number, gate, commands))
        except UsageError as error:
            faults.append(error)
    raise_all(path, faults)
    return Config(path, _data(path, data), tuple(rules), section.get("root", False))


def raise_all(path: Path | None, faults: Sequence[RocconfError]) -> None:
    """Raise the faults of a configuration together, if there are any."""
    if len(faults) == 1:
        raise faults[0]
    if faults:
        raise InputError(str(path), [fault.message for fault in faults])


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise UsageError("config-missing", path=path) from None
    except OSError as error:
        raise UsageError("config-unreadable", path=path, why=error.strerror or error) from None


def _section(path: Path) -> Mapping[str, Any] | None:
    import tomllib

    try:
        content = tomllib.loads(_content(path).decode("utf-8-sig"))  # a lone carriage return ends no line
    except (ValueError, RecursionError) as error:  # also of thousands of digits, or of brackets
        raise UsageError("config-not-toml", path=path, why=error) from None
    if path.name != SHARED_FILE:
        return content
    tools = content.get("tool")
    _require_spelling(path, {"tool": content, OWN: tools if isinstance(tools, dict) else {}})
    if OWN in content:
        raise UsageError("config-outside-tool", path=path)
    section: Mapping[str, Any] | None = tools.get(OWN) if isinstance(tools, dict) else None
    return section


def _require_spelling(path: Path, tables: Mapping[str, Mapping[str, Any]]) -> None:
    """Refuse a section whose name differs from ours in case only: TOML takes it for another one."""
    for name, table in tables.items():
        for key in table:
            if key != name and key.lower() == name:
                raise UsageError("config-case", path=path, found=key, meant=name)


def _data(path: Path, data: Mapping[str, Any]) -> dict[str, Any]:
    options = dict(data)
    if "score" in options:
        options["score"] = [options["score"]] if isinstance(options["score"], str) else options["score"]
        if not all(isinstance(score, str) for score in options["score"]):
            raise UsageError("config-scores", path=path, found=options["score"])
    if "where" in options:
        options["where"] = [condition.text for condition in _where(f"{path}: [data]", options["where"])]
    if "positive" in options:
        options["positive"] = _text(options["positive"])
    return options


def _gate(path: Path, number: int, gate: Any, commands: Collection[str]) -> tuple[str, GateRule]:
    place = f"[[gate]] {number}"
    _require_keys(path, gate, GATE, place)
    for key in WANTED:
        if key not in gate:
            raise UsageError("config-lacks-key", path=path, place=place, key=key)
    for key, words in WORDS.items():
        if key in gate and gate[key] not in words:
            raise UsageError("config-word", path=path, place=place, key=key, found=gate[key], known=", ".join(words))
    if gate["command"] not in commands:
        _unknown(path, place, "command", gate["command"], commands)
    try:
        rule = _rule(gate)
    except UsageError as error:
        raise UsageError("config-rule", path=path, place=place, error=error) from None
    where = _where(f"{path}: {place}", gate.get("where", {}))
    try:
        rule = replace(rule, where=where)
    except UsageError as error:  # a slice of slices
        raise UsageError("config-rule", path=path, place=place, error=error) from None
    return gate["command"], replace(rule, name=gate.get("name") or rule.text)


def _rule(gate: Mapping[str, Any]) -> GateRule:
    written, by = split_by(gate["metric"])
    if by is not None and "by" in gate:
        raise UsageError("config-by-twice")
    metric, model, at, point_only = parse_metric(written, gate["metric"])
    if at is not None and "at" in gate:
        raise UsageError("config-point-twice")
    return GateRule(
        metric,
        gate["op"],
        _number(gate["value"]),
        model,
        gate.get("at", at),
        point_only,
        level=gate.get("level"),
        severity=gate.get("severity", "error"),
        on_undefined=gate.get("on_undefined", "inconclusive"),
        allow_identical=gate.get("allow_identical", False),
        by=gate.get("by", by),
    )


def _number(value: float) -> float:
    try:
        limit = float(value)
    except OverflowError:  # an integer of hundreds of digits; a rule's limit must be finite
        return inf
    if limit != value and limit == limit:  # noqa: PLR0124  # only NaN differs from itself
        raise UsageError("number-not-float", found=value)
    return limit


def _where(place: str, where: Any) -> tuple[Condition, ...]:
    """Return the conditions of a slice."""
    try:
        conditions = tuple(dict.fromkeys(parse_conditions(where, "where")))
    except UsageError as error:
        raise UsageError("config-where", place=place, error=error) from None
    equal = [condition.column for condition in conditions if condition.op == "="]
    for column in equal:
        if equal.count(column) > 1:
            raise UsageError("config-where-twice", place=place, column=column)
    return conditions


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _require_keys(path: Path, found: Any, known: Mapping[str, tuple[type, ...]], place: str) -> None:
    if not isinstance(found, dict):
        raise UsageError("config-not-table", path=path, place=place or "the file")
    for key, value in found.items():
        if key not in known:
            _unknown(path, place, "key", key, known)
        if key == "gate" and isinstance(value, dict):
            raise UsageError("config-one-gate", path=path)
        if not isinstance(value, known[key]) or (isinstance(value, bool) and bool not in known[key]):
            wanted = " or ".join(kind.__name__ for kind in known[key])
            raise UsageError(
                "config-type", path=path, place=f"{place} " if place else "", key=key, found=value, wanted=wanted
            )


def _unknown(path: Path, place: str, what: str, found: str, known: Collection[str]) -> None:
    meant = did_you_mean(found, known) or f" (known: {', '.join(known)})"
    place = f"{place}: " if place else ""
    raise UsageError("config-unknown", path=path, place=place, what=what, found=found, meant=meant)
