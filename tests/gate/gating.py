"""Rules, files of cases and reports: written, judged and read again."""

import json

import numpy as np

import rocconf
from rocconf.answer import Answer
from rocconf.compute.compare import AucComparison
from rocconf.gate import STATUS, GateRule, judge_reports, judge_results, overall, parse_gate_rule
from rocconf.read import Input, read_report

KINDS = {
    "sweep": rocconf.Sweep,
    "tango": rocconf.ConfidentSegment,
    "chi2-contours": rocconf.Chi2Contours,
    "sensibility": rocconf.Sensibility,
    "compare": rocconf.Comparison,
    "compare-auc": AucComparison,
    "one-vs-rest": rocconf.OneVsRest,
}


def required(*rules):
    """Return the options for rules."""
    return [word for rule in rules for word in ("--require", rule)]


def section(rule, command="sweep", **keys):
    """Return the section of a configuration for a rule."""
    metric, op, value = rule.split()
    metric, _, at = metric.partition("@")
    keys = {"command": command, "metric": metric, "op": op, **({"at": at} if at else {}), **keys}
    return f"[[gate]]\nvalue = {value}\n" + "".join(f"{key} = {json.dumps(each)}\n" for key, each in keys.items())


def configure(folder, *sections, name="rocconf.toml"):
    """Write a configuration."""
    (folder / name).write_text("".join(sections), encoding="utf-8")


def write_cases(path, **columns):
    """Write columns as csv."""
    rows = zip(*columns.values(), strict=True)
    path.write_text("\n".join([",".join(columns), *(",".join(map(str, row)) for row in rows), ""]), encoding="utf-8")


def write_models(folder):
    """Write a model in use with an AUC of about .8 and a new one of about .9, on the same two hundred cases."""
    random = np.random.default_rng(3)
    labels = np.arange(200) % 2
    for name, distance in (("new", 1.8), ("old", 1.2)):
        scores = random.normal(size=200) + distance * labels
        ids, site = [f"c{at}" for at in range(200)], np.where(np.arange(200) % 4 < 2, "A", "B")
        write_cases(folder / f"{name}.csv", id=ids, label=labels, score=scores, site=site)
    return folder


def rules_of(texts):
    return [rule if isinstance(rule, GateRule) else parse_gate_rule(rule) for rule in texts]


def text_of(result, *rules, verdicts=None):
    """Return the report of a result with the verdicts of rules."""
    verdicts = judge_results(rules_of(rules), [result], choose_on={}) if verdicts is None else verdicts
    outcome = overall(verdicts) if len(verdicts) else None
    answer = Answer((result,), tuple(each.to_dict() for each in verdicts), outcome, STATUS.get(outcome, 0))
    return json.dumps(answer.to_dict())


def read(text, **more):
    content = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
    return read_report(Input("a.json", None, content), **more)


def judged(text, *rules, allow_in_sample=False):
    """Return the verdicts of rules on a report; without rules, of those that it carries."""
    report = read(text) if isinstance(text, str | bytes) else text
    kinds = [KINDS[report.command]]
    return judge_reports([report], [rules_of(rules)], kinds, allow_in_sample=allow_in_sample, asked={}).verdicts[0]
