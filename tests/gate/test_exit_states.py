"""Every way a gate can end: whatever happens, the exit status says what it means, and 0 is only for a pass."""

import json
import os
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from conftest import environment
from gating import configure, required, section, write_cases, write_models
from in_process import run_in_process

RULES = {"sweep": "auc >= 0.7", "compare": "delta_auc >= -0.5"}
"""What either command passes."""
HOPELESS = {"sweep": "auc >= 0.99", "compare": "delta_auc >= 0.9"}
OPEN = {"sweep": "auc >= 0.9", "compare": "delta_auc >= 0.09"}
COMMANDS = {"sweep": ("sweep", "new.csv"), "compare": ("compare", "new.csv", "--baseline", "old.csv")}
BOTH = pytest.mark.parametrize("command", list(COMMANDS))


@pytest.fixture
def models(tmp_path):
    return write_models(tmp_path)


@pytest.fixture
def gate(rocconf, models):  # noqa: ARG001  # the files are there
    """Run a command with rules."""

    def run(command, *rules, options=(), **more):
        return rocconf(*COMMANDS[command], *required(*rules), *options, "--format", "json", "-q", **more)

    return run


def as_told(ran):
    """Return verdict and status of an answer, which are those of the run."""
    answer = json.loads(ran.out)
    assert answer["exit_code"] == ran.status, ran.err
    return answer["verdict"], ran.status


@BOTH
@pytest.mark.parametrize(
    ("rules", "options", "status", "verdict"),
    [
        ((), (), 0, None),
        ((RULES,), (), 0, "pass"),
        ((HOPELESS,), (), 1, "fail"),
        ((OPEN,), (), 3, "inconclusive"),
        ((RULES, OPEN, HOPELESS), (), 1, "fail"),
        ((OPEN,), ("--inconclusive", "pass"), 0, "inconclusive"),
        ((OPEN, HOPELESS), ("--inconclusive", "pass"), 1, "fail"),
        ((OPEN, HOPELESS), ("--exit-zero",), 0, "fail"),
        ((RULES, RULES), (), 0, "pass"),
    ],
)
def test_rules_end_in_their_status(gate, command, rules, options, status, verdict):
    ran = gate(command, *(rule[command] for rule in rules), options=options)
    assert as_told(ran) == (verdict, status)
    judged = [each["model"] for each in json.loads(ran.out)["gates"]]
    assert judged == ["score" if command == "sweep" else "new"] * len(rules)


@pytest.mark.parametrize(
    ("rules", "options", "verdict"),
    [
        (["auc.point >= 0.85"], "", "pass"),
        ([" auc[score]  >=  .7 ", "n == 200", "positives >= 100"], "", "pass"),
        (["auc >= 0.7", "n == 201"], "", "fail"),
        (["auc >= 0.9", "n == 201"], "", "fail"),
        (["auc >= 0.01", "auc < 0.01"], "", "fail"),
        (["precision@threshold=99 >= 0.5"], "", "inconclusive"),
        (["precision@threshold=99 < 0.6"], "", "inconclusive"),
        (["tpr@threshold=0 >= 0.8", "mcc@threshold=1 >= 0.2", "average_precision >= 0.6"], "", "pass"),
        (["f1@threshold=1 >= 0.99"], "", "fail"),
        (["tpr@youden >= 0.1"], "--allow-in-sample", "pass"),
        (["tpr@youden >= 0.1"], "--choose-on other.csv", "pass"),
    ],
)
def test_a_rule_of_any_kind_ends_in_its_status(gate, models, rules, options, verdict):
    write_cases(models / "other.csv", label=[1, 1, 0, 0], score=[2, 1, 1.5, 0])
    ran = gate("sweep", *rules, options=options.split())
    assert as_told(ran) == (verdict, {"pass": 0, "fail": 1}.get(verdict, 3))


@BOTH
@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "no such file"),
        ("", "is empty"),
        ("id,label,score\n", "no row"),
        ("id,label,points,other\na,1,1,1\nb,0,0,0\n", "column"),
        ("id,label,score\na,1,1\nb,1,2\n", "only one class"),
        ("id,label,score\na,1,x\nb,0,2\n", "'x'"),
    ],
)
def test_input_that_says_nothing_is_no_verdict(gate, models, command, content, said):
    if content is None:
        (models / "new.csv").unlink()
    else:
        (models / "new.csv").write_text(content, encoding="utf-8")
    for options in ((), ("--inconclusive", "pass"), ("--exit-zero",)):
        ran = gate(command, HOPELESS[command], OPEN[command], options=(*options, "--score", "score"))
        assert (ran.status, ran.out) == (2, "")
        assert "new.csv" in ran.err
        assert said in ran.err


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--config", "missing.toml"), "missing.toml: no such file"),
        (("--config", ""), "--config names no file"),
        (("--isolated", "--config", "missing.toml"), "contradict"),
        (("--level", "95"), "between 0 and 1"),
        (("--inconclusive", "maybe"), "--inconclusive takes fail or pass"),
        (("-o", "missing/gate.json"), "there is no directory"),
        (("-o", "gate.xml"), "unknown format"),
        (("--rescale", "--choose-on", "old.csv"), "--rescale and --choose-on contradict each other"),
        (("--rescale", "--plot", "calibration:figure.png"), "rescaling makes none"),
        (required(""), "rule '' is not METRIC OP VALUE"),
        (required("AUC >= 0.5"), "did you mean 'auc'?"),
        (required("roc_auc >= 0.5"), "did you mean 'auc'?"),
        (required("ap >= 0.5"), "did you mean 'average_precision'?"),
        (required("recall@threshold=1 >= 0.5"), "did you mean 'tpr'?"),
        (required("PPV@threshold=1 >= 0.5"), "did you mean 'precision'?"),
        (required("auc[nobody] >= 0.5"), "no model 'nobody'"),
        (required("tpr >= 1"), "tpr needs an operating point: tpr@RULE"),
        (required("auc@closest >= 1"), "auc is a metric of the whole curve"),
        (required("tpr@closest >= 1"), "--choose-on FILE"),
        (required("tpr@best >= 1"), "no rule 'best'"),
        (("--prevalence", "0.01", *required("precision@threshold=1 >= 0.1")), "--prevalence restates the metric"),
        (("--calibration", *required("ece <= 0.05")), "no metric 'ece'"),
        (("--rescale", "--calibration", *required("brier <= 0.9")), "so --calibration would measure nothing"),
    ],
)
def test_what_was_asked_wrongly_is_no_verdict(gate, options, said):
    for command in COMMANDS:
        ran = gate(command, HOPELESS[command], options=(*options, "--exit-zero"))
        assert (ran.status, ran.out) == (2, "")
        assert said in ran.err or (command == "compare" and "compare has no option" in ran.err)


ALWAYS, NEVER = "every model meets it, as ", "no model meets it, as "
DRIFT = "--reference missing.csv"
OF_SWEEP = {
    "fpr lies in [0, 1]; 0.05?": ["fpr@threshold=0.5 <= 5"],
    "auc lies in [0, 1]; 0.85?": ["auc >= 85"],
    "auc lies in [0, 1]\n": ["auc >= -1"],
    ALWAYS + "auc lies in [0, 1]": ["auc >= -1e-400", "auc >= 0", "auc.point >= 0", "auc <= 1"],
    NEVER + "auc lies in [0, 1]": ["auc > 1", "auc < 0"],
    ALWAYS + "average_precision lies in (0, 1]": ["average_precision > 0"],
    "n is a whole number from 2 up": ["n >= -1", "n >= 2"],
    "positives is a whole number from 1 up": ["positives >= 1", "positives > 0.5", "positives == 100.5"],
    "negatives is a whole number from 1 up": ["negatives > 0"],
    ALWAYS + "tp is a whole number from 0 up": ["tp@threshold=0.5 >= 0"],
    ALWAYS + "tpr lies in [0, 1]": ["tpr@threshold=0.5 <= 1"],
    ALWAYS + "mcc lies in [-1, 1]": ["mcc@threshold=0.5 >= -1"],
    ALWAYS + "diff lies in (-1, 1)": ["diff@threshold=0.5 > -1"],
    ALWAYS + "lift is at least 0": ["lift@threshold=0.5 >= 0"],
    ALWAYS + "prevalence lies in (0, 1)": ["prevalence > 0", "prevalence < 1"],
    NEVER + "prevalence lies in (0, 1)": ["prevalence >= 1"],
    "== is for counts": ["auc == 0.9"],
    "differences from a baseline are judged by compare": ["delta_auc >= 0"],
    "partial_auc needs --max-fpr": ["partial_auc <= 0.5"],
    "partial_auc_standardized needs --max-fpr": ["partial_auc_standardized >= 0.6"],
}


@pytest.mark.parametrize(
    ("command", "options", "rule", "said"),
    [
        *(("sweep", "", rule, said) for said, rules in OF_SWEEP.items() for rule in rules),
        ("sweep", "--max-fpr 0.1", "partial_auc_standardized >= 0.47", "partial_auc_standardized lies in [0.47"),
        ("compare", "", "delta_auc >= -1", ALWAYS + "delta_auc lies in [-1, 1]"),
        ("compare", "", "delta_auc >= -5", "delta_auc lies in [-1, 1]; -0.05?"),
        ("compare", "", "partial_auc <= 0.2", "partial_auc needs --max-fpr"),
        ("compare", "", "delta_partial_auc >= -0.1", "delta_partial_auc needs --max-fpr"),
        ("compare", "--max-fpr 0.1", "delta_partial_auc >= -0.1", "delta_partial_auc lies in [-0.1, 0.1]"),
        ("compare", "--max-fpr 0.1", "partial_auc <= 0.2", "partial_auc lies in [0, 0.1]"),
        ("tango", "", "equivalent_points >= 2", "equivalent_points needs --margin"),
        ("sensibility", "", "drift_p >= 0.01", "drift_p needs --reference"),
        ("sensibility", DRIFT, "drift_p >= 0", "drift_p lies in (0, 1]"),
        ("sensibility", DRIFT, "drift_p > 0", "every model meets it"),
        ("sensibility", DRIFT, "drift_p >= 0.001", "the same verdict on all data"),
        ("sensibility", f"{DRIFT} --permutations 99", "drift_p >= 0.01", "the same verdict on all data"),
        ("chi2-contours", "", "max_chi2_p <= 1", "max_chi2_p lies in (0, 1]"),
    ],
)
def test_a_rule_that_cannot_fail_or_cannot_pass_is_an_error_before_anything_is_read(
    rocconf, tmp_path, command, options, rule, said
):
    configure(tmp_path, section(rule, command, on_undefined="pass"))
    for asked in (("--config", "rocconf.toml"), ("--isolated", *required(rule))):
        ran = rocconf(command, "missing.csv", *options.split(), *asked, "--exit-zero")
        assert (ran.status, ran.out) == (2, "")
        assert said in ran.err


@pytest.mark.parametrize(("rule", "status"), [("drift_p > 0.01", 0), ("drift_p >= 0.02", 0), ("drift_p < 0.01", 2)])
def test_a_rule_about_p_must_be_able_to_fail(rocconf, tmp_path, rule, status):
    random = np.random.default_rng(1)
    for name in ("now", "then"):
        write_cases(tmp_path / f"{name}.csv", label=np.arange(60) % 2, score=random.random(60))
    run = ("sensibility", "now.csv", "--reference", "then.csv", "--permutations", "99", "--bootstrap", "0")
    ran = rocconf(*run, *required(rule), "-q")
    assert ran.status == status, ran.err


def test_a_rule_that_no_interval_meets_is_legal_and_said_to_be_one(rocconf, models):  # noqa: ARG001  # the files are there
    rules = required("tpr@threshold=0.5 >= 1", "fpr@threshold=0.5 <= 0", "auc.point >= 1")
    ran = rocconf("sweep", "new.csv", *rules, "--at", "threshold=0.5", "--format", "json", "-o", "report.json")
    again = rocconf("gate", "report.json", *rules)
    assert (ran.status, again.status) == (1, 1)
    for told in (ran.err, again.err):
        assert "warning: rule 'tpr@threshold=0.5 >= 1' never passes" in told
        assert "warning: rule 'auc.point" not in told
    messages = [gate["message"] for gate in json.loads(ran.out)["gates"]]
    assert ["which no interval reaches" in message for message in messages] == [True, True, False]


HIGH = section("auc >= 0.99")


@pytest.mark.parametrize(
    ("text", "status"),
    [
        *((text, 1) for text in (HIGH, HIGH * 2, HIGH + section("n >= 50"), section("auc >= 9.9e-1"))),
        *((text, 2) for text in ("nonsense\n", HIGH.replace("[[gate]]", "[[gates]]"))),
        *((section(rule), 2) for rule in ("auc >= -1", "auc <= 1", "Auc >= 0.9", "auc[nobody] >= 0.9")),
        (section("auc >= 0.9", "gate"), 2),
        (section("partial_auc <= 0.5", on_undefined="pass"), 2),
        (section("auc[nobody] >= 0.9", where="id=nobody"), 2),
        (section("auc >= 0.9", where="nothing=x"), 2),
        (section("auc >= 0.9", where=["site=A", "site=B"], on_undefined="pass"), 2),
        (section("precision@threshold=99 <= 0.9"), 3),
    ],
)
def test_no_configuration_lets_a_model_pass_unjudged(rocconf, models, text, status):
    configure(models, text)
    for options in ((), ("--config", "rocconf.toml"), ("--exit-zero",) * (status == 2)):
        ran = rocconf("sweep", "new.csv", *options)
        assert ran.status == status, ran.err
        assert status != 2 or (ran.out == "" and "rocconf.toml" in ran.err)
    assert rocconf("sweep", "new.csv", "--isolated", "-o", "a.json", "-q").status == 0
    assert rocconf("gate", "a.json").status in (2, status)


@pytest.mark.parametrize(
    "text",
    [
        "[tool.'rocconf']\ngate = [{}]\n",
        "[ tool . rocconf ]\ngate = [{}]\n",
        "tool.rocconf.gate = [{}]\n",
        "tool = {{ rocconf = {{ gate = [{}] }} }}\n",
        "[tool]\n'rocconf' = {{ gate = [{}] }}\n",
        '["to\\u006fl"."\\U00000072occonf"]\ngate = [{}]\n',
        "\ufeff[tool.rocconf]\r\ngate = [{}]\r\n",
    ],
)
def test_no_spelling_of_a_rule_is_overlooked(gate, models, text):
    rule = "{command='sweep', metric='auc', op='>=', value=0.99}"
    (models / "pyproject.toml").write_bytes(text.format(rule).encode())
    assert gate("sweep").status == 1


def test_the_configuration_of_a_folder_above_counts_and_is_named(models):
    configure(models, HIGH)
    (models / "sub").mkdir()
    ran = run_in_process(["sweep", "../new.csv"], folder=models / "sub")
    assert ran.status == 1
    assert f"rocconf: configuration: {models / 'rocconf.toml'}" in ran.err


@BOTH
def test_a_rule_that_only_warns_leaves_the_status_alone(gate, models, command):
    configure(models, section(HOPELESS[command], command, severity="warn"))
    ran = gate(command, RULES[command])
    assert as_told(ran) == ("pass", 0)
    assert "warning: gate not passed" in ran.err
    assert as_told(gate(command)) == ("pass", 0)
    assert gate(command, OPEN[command]).status == 3


@BOTH
@pytest.mark.parametrize(("said", "status"), [("pass", 0), ("fail", 1), ("inconclusive", 3)])
@pytest.mark.parametrize("about", ["precision@threshold=99 >= 0.5", "auc >= 0.9"])
def test_a_number_without_a_value_ends_as_the_rule_says_and_never_passes_silently(
    gate, rocconf, models, command, about, said, status
):
    where = {"where": "site=nowhere"} if about == "auc >= 0.9" else {}
    configure(models, section(about, command, on_undefined=said, **where))
    ran = gate(command, options=("-o", "a.json"))
    assert json.loads(ran.out)["gates"][0]["value"] is None
    for each in (ran, rocconf("gate", "a.json", "-q"), rocconf("gate", "a.json", "-q", "--isolated")):
        assert each.status == status
        assert ("warning: gate passed without a value" in each.err) == (said == "pass")


@BOTH
@pytest.mark.parametrize(("where", "said"), [("id=nobody", "no row with id=nobody"), ("label=1", "only one class")])
def test_a_slice_that_cannot_be_analysed_decides_nothing(gate, models, command, where, said):
    for severity, status in (("error", 3), ("warn", 0)):
        configure(models, section("auc >= 0.5", command, where=where, severity=severity))
        ran = gate(command, RULES[command])
        assert ran.status == status
        of_slice, of_all = json.loads(ran.out)["gates"]
        assert of_slice["model"] == of_all["model"] == ("score" if command == "sweep" else "new")
        assert (of_slice["verdict"], of_slice["value"], of_all["verdict"]) == ("inconclusive", None, "pass")
        assert said in of_slice["message"]


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("command", "place", "error"),
    [
        *(("sweep", "compute.roc.curve.curve", error) for error in ("ZeroDivisionError('x')", "SystemExit(0)")),
        *(("compare", "compute.roc.curve.curve", error) for error in ("MemoryError()", "RecursionError()")),
        *(("sweep", "gate.judge_results", error) for error in ("ZeroDivisionError('x')", "BaseException('x')")),
    ],
)
def test_a_crash_is_no_verdict(gate, models, command, place, error):
    module, _, name = f"rocconf.{place}".rpartition(".")
    code = (
        f"import {module} as planted\n"
        f"def crash(*a, **k): raise {error}\n"
        f"planted.{name} = crash\n"
        "from rocconf.__main__ import main; main()"
    )
    ran = gate(command, HOPELESS[command], options=("--exit-zero", "-o", "gate.json"), code=code)
    assert (ran.status, ran.out) == (2, ""), ran.err
    assert not (models / "gate.json").exists()


@pytest.mark.thorough
@pytest.mark.parametrize(
    "module", ["numpy", "rocconf.gate.verdict", "rocconf.cli.run", "rocconf.report.junit", "typer"]
)
def test_an_import_that_fails_is_no_verdict(gate, module):
    code = f"import sys\nsys.modules['{module}'] = None\nfrom rocconf.__main__ import main; main()"
    ran = gate("sweep", HOPELESS["sweep"], options=("--exit-zero", "-o", "gate.junit.xml"), code=code)
    assert (ran.status, ran.out) == (2, "")
    assert "internal error" in ran.err


def shell(command, rule, folder, then, **variables):
    """Run a command with a rule as a process in a shell."""
    run = f"{sys.executable} -m rocconf {' '.join(COMMANDS[command])} --require '{rule}' -q -o gate.json"
    words = ["bash", "-c", then.format(run)]
    return subprocess.run(words, cwd=folder, env=environment(**variables), capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("command", "rules", "status"),
    [
        ("sweep", HOPELESS, 1),
        pytest.param("compare", RULES, 0, marks=pytest.mark.thorough),
        pytest.param("compare", OPEN, 3, marks=pytest.mark.thorough),
    ],
)
def test_a_reader_who_leaves_changes_nothing(models, command, rules, status):
    done = shell(command, rules[command], models, "({}; echo $? >&2) | true")
    assert done.stderr.splitlines()[-1] == str(status)
    assert json.loads((models / "gate.json").read_text(encoding="utf-8"))["exit_code"] == status


@pytest.mark.skipif(not os.access("/dev/full", os.W_OK), reason="needs a device that is always full")
@pytest.mark.parametrize("rules", [HOPELESS, *(pytest.param(of, marks=pytest.mark.thorough) for of in (RULES, OPEN))])
def test_a_full_disk_is_no_verdict(models, rules):
    assert shell("sweep", rules["sweep"], models, "{} > /dev/full").returncode == 2
    assert shell("sweep", rules["sweep"], models, "{} > /dev/null 2> /dev/full").returncode in (0, 1, 2, 3)
    summary = "{} --github > /dev/null"
    assert shell("sweep", rules["sweep"], models, summary, GITHUB_STEP_SUMMARY="/dev/full").returncode == 2


def test_an_interruption_is_one(models):
    os.mkfifo(models / "slow.csv")
    process = subprocess.Popen(
        [sys.executable, "-m", "rocconf", "sweep", "slow.csv", "--require", "auc >= 0.5"],
        cwd=models,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    with (models / "slow.csv").open("w", encoding="utf-8"):  # opens when the process does: it waits for lines
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=30)
    assert (process.returncode, out) == (130, b"")


@pytest.mark.parametrize(
    ("command", "rules", "status", "word", "title"),
    [
        ("sweep", RULES, 0, "pass", "passed"),
        ("sweep", HOPELESS, 1, "fail", "failed"),
        ("sweep", OPEN, 3, "inconclusive", "not enough evidence"),
    ],
)
def test_every_output_of_a_verdict_shows_what_was_asked_and_found(rocconf, models, command, rules, status, word, title):
    configure(models, section(rules[command], command, name="ranks well"))
    outs = ["gate.json", "gates:gates.csv", "gate.md", "gate.junit.xml"]
    files = [part for out in outs for part in ("-o", out)]
    ran = rocconf(*COMMANDS[command], "--format", "table", *files, "--plot", "gate.png")
    assert ran.status == status, ran.err
    texts = {name: (models / name).read_text(encoding="utf-8") for name in (out.rpartition(":")[2] for out in outs)}
    written = json.loads(texts["gate.json"])
    assert (written["verdict"], written["exit_code"]) == (word, status)
    assert f",{word}," in texts["gates.csv"]
    assert f"**verdict: {title} (status {status})" in texts["gate.md"]
    (suite,) = ET.fromstring(texts["gate.junit.xml"])  # noqa: S314  # we wrote it ourselves
    assert [suite.get(key) for key in ("failures", "errors")] == [str(int(status == code)) for code in (1, 3)]
    assert (models / "gate.png").stat().st_size > 1000
    (gate,) = written["gates"]
    assert " ".join(map(str, (gate["metric"], gate["op"], gate["limit"]))) == rules[command]
    digits = [f"{gate[key]:.6f}"[:4] for key in ("value", "lower", "upper")]
    for name, text in {**texts, "stdout": ran.out, **({"stderr": ran.err} if status else {})}.items():
        for shown in ("ranks well", *rules[command].replace(">", "").split(), *digits):
            assert shown in text, (name, shown)
        assert ">=" in text.replace("&gt;", ">"), name


def test_what_could_not_run_leaves_older_files_as_they_were(gate, models):
    (models / "gate.junit.xml").write_text("older", encoding="utf-8")
    (models / "new.csv").write_text("", encoding="utf-8")
    assert gate("sweep", RULES["sweep"], options=("-o", "gate.junit.xml")).status == 2
    assert (models / "gate.junit.xml").read_text(encoding="utf-8") == "older"


@pytest.mark.usefixtures("models")
def test_a_rule_about_differences_needs_a_baseline(rocconf):
    ran = rocconf("compare", "new.csv", "--require", "delta_auc >= 0")
    assert (ran.status, ran.out) == (2, "")
    assert "--baseline" in ran.err


@pytest.mark.parametrize("command", ["sweep", "tango", "chi2-contours", "sensibility", "compare"])
def test_a_report_of_any_command_is_a_baseline(rocconf, models, command):
    options = ("--rescale",) if command == "sensibility" else ("--level", "0.95")
    files = ("old.csv", "new.csv") if command == "compare" else ("old.csv",)
    assert rocconf(command, *files, *options, "-q", "-o", "report.json").status == 0
    (models / "old2.csv").write_bytes((models / "old.csv").read_bytes())
    score = ("old2.csv", "new.csv", "--unpaired") if command == "compare" else ("new.csv",)
    ran = rocconf("compare", *score, "--baseline", "report.json", "--require", "delta_auc >= -0.5", "-q")
    if command == "compare":
        assert ran.status == 2
        assert "reports 2 models (old, new)" in ran.err
    else:
        assert ran.status == 0, ran.err


def test_a_name_cannot_look_like_a_line_of_ours(rocconf, models):
    name = "x\n::error::owned\nrocconf: gate passed\x1b[2J"
    text = (models / "new.csv").read_text(encoding="utf-8")
    (models / "new.csv").write_text(text.replace("score", f'"{name}"', 1), encoding="utf-8")
    for named, status in (((), 2), (("--score", name), 1)):
        ran = rocconf("sweep", "new.csv", *named, "--require", "auc >= 0.99", "--github", "--format", "json")
        assert ran.status == status
        lines = ran.err.splitlines()
        ours = [line for line in lines if line.startswith(("::", "rocconf: gate p"))]
        assert len(ours) == (status == 1)
        assert all(line.startswith("::error title=") for line in ours)
        assert not any("\x1b" in line for line in lines if line not in ours)


def test_a_run_without_rules_loads_no_gate(rocconf, models):
    code = (
        "import sys\nfrom rocconf.__main__ import main\ntry:\n    main()\nfinally:\n"
        "    print(sorted({'tomllib', 'rocconf.gate.verdict', 'rocconf.gate.config'} & set(sys.modules)), file=sys.stderr)"
    )
    (models / "pyproject.toml").write_text("[project]\nname = 'x'\n", encoding="utf-8")
    assert rocconf("sweep", "new.csv", "-q", code=code).err == "[]\n"
