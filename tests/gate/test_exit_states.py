"""Every way a gate can end, through real processes: whatever happens, the exit status says what it means."""

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

RULES = {"sweep": "auc >= 0.7", "compare": "delta_auc >= -0.5"}
"""What either command passes."""
HOPELESS = {"sweep": "auc >= 0.99", "compare": "delta_auc >= 0.9"}
OPEN = {"sweep": "auc >= 0.9", "compare": "delta_auc >= 0.09"}
COMMANDS = {"sweep": ("sweep", "new.csv"), "compare": ("compare", "new.csv", "--baseline", "old.csv")}
BOTH = pytest.mark.parametrize("command", list(COMMANDS))


def write_cases(path, scores, labels, first=0):
    lines = [f"c{first + at},{label},{score}" for at, (label, score) in enumerate(zip(labels, scores, strict=True))]
    path.write_text("\n".join(["id,label,score", *lines]) + "\n", encoding="utf-8")


@pytest.fixture
def models(tmp_path):
    """A model in use with an AUC of about .8 and a new one of about .9, on the same two hundred cases."""
    random = np.random.default_rng(3)
    labels = np.arange(200) % 2
    for name, distance in (("new.csv", 1.8), ("old.csv", 1.2)):
        write_cases(tmp_path / name, random.normal(size=200) + distance * labels, labels)
    return tmp_path


@pytest.fixture
def gate(rocconf, models):  # noqa: ARG001  # the files are there
    """Run a command with rules."""

    def run(command, *rules, options=(), **more):
        required = [part for rule in rules for part in ("--require", rule)]
        return rocconf(*COMMANDS[command], *required, *options, "--format", "json", "-q", **more)

    return run


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
    assert ran.status == status, ran.err
    answer = json.loads(ran.out)
    assert (answer["verdict"], answer["exit_code"]) == (verdict, status)
    assert [each["model"] for each in answer["gates"]] == ["score" if command == "sweep" else "new"] * len(rules)


@BOTH
@pytest.mark.parametrize("options", [(), ("--inconclusive", "pass"), ("--exit-zero",)])
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
def test_input_that_says_nothing_is_no_verdict(gate, models, command, options, content, said):
    if content is None:
        (models / "new.csv").unlink()
    else:
        (models / "new.csv").write_text(content, encoding="utf-8")
    ran = gate(command, HOPELESS[command], OPEN[command], options=(*options, "--score", "score"))
    assert (ran.status, ran.out) == (2, "")
    assert "new.csv" in ran.err
    assert said in ran.err


@BOTH
@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--config", "missing.toml"), "missing.toml: no such file"),
        (("--config", ""), "--config names no file"),
        (("--require", ""), "rule '' is not METRIC OP VALUE"),
        (("--require", "AUC >= 0.5"), "did you mean 'auc'?"),
        (("--require", "auc[nobody] >= 0.5"), "no model 'nobody'"),
        (("--level", "95"), "between 0 and 1"),
        (("--inconclusive", ""), "--inconclusive takes fail or pass"),
        (("-o", "missing/gate.json"), "there is no directory"),
        (("-o", "gate.xml"), "unknown format"),
    ],
)
def test_what_was_asked_wrongly_is_no_verdict(gate, command, options, said):
    ran = gate(command, HOPELESS[command], options=(*options, "--exit-zero"))
    assert (ran.status, ran.out) == (2, "")
    assert said in ran.err


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("fpr@threshold=0.5 <= 5", "fpr lies in [0, 1]; 0.05?"),
        ("auc >= 85", "auc lies in [0, 1]; 0.85?"),
        ("auc >= -1", "auc lies in [0, 1]\n"),
        ("auc >= 0", "every model meets it, as auc lies in [0, 1]"),
        ("auc.point >= 0", "every model meets it, as auc lies in [0, 1]"),
        ("auc <= 1", "every model meets it, as auc lies in [0, 1]"),
        ("auc > 1", "no model meets it, as auc lies in [0, 1]"),
        ("auc < 0", "no model meets it, as auc lies in [0, 1]"),
        ("auc == 0.9", "== is for counts"),
        ("n >= -1", "n is a whole number from 2 up"),
        ("positives >= 1", "every model meets it, as positives is a whole number from 1 up"),
        ("negatives > 0", "negatives is a whole number from 1 up"),
        ("positives == 100.5", "no model meets it, as positives is a whole number from 1 up"),
        ("tp@threshold=0.5 >= 0", "every model meets it, as tp is a whole number from 0 up"),
        ("mcc@threshold=0.5 >= -1", "every model meets it, as mcc lies in [-1, 1]"),
        ("diff@threshold=0.5 > -1", "every model meets it, as diff lies in (-1, 1)"),
        ("lift@threshold=0.5 >= 0", "every model meets it, as lift is at least 0"),
        ("prevalence > 0", "every model meets it, as prevalence lies in (0, 1)"),
        ("prevalence >= 1", "no model meets it, as prevalence lies in (0, 1)"),
    ],
)
def test_a_rule_that_cannot_fail_or_cannot_pass_is_an_error_before_anything_is_read(rocconf, rule, said):
    ran = rocconf("sweep", "missing.csv", "--require", rule, "--exit-zero")
    assert (ran.status, ran.out) == (2, "")
    assert said in ran.err


@pytest.mark.parametrize(
    ("command", "options", "rule", "said"),
    [
        ("compare", (), "delta_auc >= -1", "every model meets it, as delta_auc lies in [-1, 1]"),
        ("compare", (), "delta_auc >= -5", "delta_auc lies in [-1, 1]; -0.05?"),
        ("compare", ("--max-fpr", "0.1"), "delta_partial_auc >= -0.1", "delta_partial_auc lies in [-0.1, 0.1]"),
        ("compare", ("--max-fpr", "0.1"), "partial_auc <= 0.2", "partial_auc lies in [0, 0.1]"),
        ("compare", (), "partial_auc <= 0.2", "partial_auc needs --max-fpr"),
        ("compare", (), "delta_partial_auc >= -0.1", "delta_partial_auc needs --max-fpr"),
        ("sweep", ("--max-fpr", "0.1"), "partial_auc_standardized >= 0.47", "partial_auc_standardized lies in [0.47"),
        ("sweep", (), "partial_auc_standardized >= 0.6", "partial_auc_standardized needs --max-fpr"),
        ("tango", (), "equivalent_points >= 2", "equivalent_points needs --margin"),
        ("sensibility", (), "drift_p >= 0.01", "drift_p needs --reference"),
        ("sensibility", ("--reference", "missing.csv"), "drift_p >= 0", "drift_p lies in (0, 1]"),
        ("sensibility", ("--reference", "missing.csv"), "drift_p > 0", "every model meets it"),
        ("sensibility", ("--reference", "missing.csv"), "drift_p >= 0.001", "the same verdict on all data"),
        ("chi2-contours", (), "max_chi2_p <= 1", "max_chi2_p lies in (0, 1]"),
    ],
)
def test_options_that_leave_a_rule_nothing_to_decide_are_an_error(rocconf, models, command, options, rule, said):
    metric, op, limit = rule.split()
    text = (
        f'[[gate]]\ncommand = "{command}"\nmetric = "{metric}"\nop = "{op}"\nvalue = {limit}\non_undefined = "pass"\n'
    )
    (models / "rocconf.toml").write_text(text, encoding="utf-8")
    for asked in (("--config", "rocconf.toml"), ("--isolated", "--require", rule)):
        ran = rocconf(command, "missing.csv", *options, *asked, "--exit-zero")
        assert (ran.status, ran.out) == (2, "")
        assert said in ran.err


def test_a_rule_that_no_interval_meets_is_legal_and_said_to_be_one(rocconf, models):  # noqa: ARG001  # the files are there
    rules = ("tpr@threshold=0.5 >= 1", "fpr@threshold=0.5 <= 0", "auc.point >= 1")
    required = [part for rule in rules for part in ("--require", rule)]
    ran = rocconf("sweep", "new.csv", *required, "--at", "threshold=0.5", "--format", "json", "-o", "report.json")
    again = rocconf("gate", "report.json", *required)
    assert (ran.status, again.status) == (1, 1)
    for told in (ran.err, again.err):
        assert "warning: rule 'tpr@threshold=0.5 >= 1' never passes" in told
        assert "warning: rule 'auc.point" not in told
    messages = [gate["message"] for gate in json.loads(ran.out)["gates"]]
    assert ["which no interval reaches" in message for message in messages] == [True, True, False]


def test_differences_are_asked_of_compare(gate):
    ran = gate("sweep", "delta_auc >= 0")
    assert ran.status == 2
    assert "differences from a baseline are judged by compare" in ran.err


CONFIGURED = '[[gate]]\ncommand = "{command}"\nmetric = "{metric}"\nop = ">="\nvalue = {value}\n'


def configure(folder, command, value, *more, metric=None):
    metric = metric or ("auc" if command == "sweep" else "delta_auc")
    text = CONFIGURED.format(command=command, metric=metric, value=value) + "".join(more)
    with (folder / "rocconf.toml").open("a", encoding="utf-8") as file:
        file.write(text)


@BOTH
def test_a_rule_that_only_warns_leaves_the_status_alone(gate, models, command):
    configure(models, command, 0.99, 'severity = "warn"\n')
    ran = gate(command, RULES[command])
    assert (ran.status, json.loads(ran.out)["verdict"]) == (0, "pass")
    assert "warning: gate not passed" in ran.err
    assert gate(command).status == 0
    assert gate(command, OPEN[command]).status == 3


@BOTH
@pytest.mark.parametrize(("said", "status"), [("pass", 0), ("fail", 1), ("inconclusive", 3)])
def test_a_number_without_a_value_ends_as_the_rule_says(gate, models, command, said, status):
    configure(models, command, 0.5, f'at = "threshold=99"\non_undefined = "{said}"\n', metric="precision")
    ran = gate(command)
    assert ran.status == status
    assert json.loads(ran.out)["gates"][0]["value"] is None


@BOTH
@pytest.mark.parametrize("text", ["[data]\nlable = 'y'\n", "nonsense\n", "gate = 1\n", "[[gate]]\nmetric = 'auc'\n"])
def test_a_configuration_that_makes_no_sense_is_no_verdict(gate, models, command, text):
    (models / "rocconf.toml").write_text(text, encoding="utf-8")
    ran = gate(command, RULES[command], options=("--exit-zero",))
    assert (ran.status, ran.out) == (2, "")
    assert "rocconf.toml" in ran.err


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


@pytest.mark.thorough
def test_the_nearest_configuration_counts_and_is_named(rocconf, models):
    configure(models, "sweep", 0.99)
    (models / "sub").mkdir()
    (models / "sub" / "new.csv").write_bytes((models / "new.csv").read_bytes())
    code = "import os; os.chdir('sub')\nfrom rocconf.__main__ import main; main()"
    ran = rocconf("sweep", "new.csv", code=code)
    assert ran.status == 1
    assert f"rocconf: configuration: {models / 'rocconf.toml'}" in ran.err
    (models / "pyproject.toml").write_text("[tool.rocconf]\nnonsense = 1\n", encoding="utf-8")
    assert rocconf("sweep", "new.csv", code=code).status == 2  # which of the two is meant
    (models / "pyproject.toml").unlink()
    (models / "sub" / "pyproject.toml").write_text("[tool.rocconf.data]\nlabel = 'label'\n", encoding="utf-8")
    assert rocconf("sweep", "new.csv", code=code).status == 0
    (models / "sub" / "rocconf.toml").symlink_to("nowhere")
    assert rocconf("sweep", "new.csv", code=code).status == 2


@BOTH
def test_a_slice_without_cases_decides_nothing_about_the_models_judged(gate, models, command):
    configure(models, command, 0.5, 'where = {id = "nobody"}\n')
    ran = gate(command, RULES[command])
    assert ran.status == 3
    judged = [(each["model"], each["verdict"]) for each in json.loads(ran.out)["gates"]]
    model = "score" if command == "sweep" else "new"
    assert judged == [(model, "inconclusive"), (model, "pass")]


@BOTH
def test_an_unknown_model_is_told_also_where_there_are_no_cases(gate, models, command):
    configure(models, command, 0.5, 'where = {id = "nobody"}\n', metric="auc[nobody]")
    ran = gate(command, RULES[command])
    assert (ran.status, ran.out) == (2, "")
    assert "no model 'nobody'" in ran.err


@BOTH
def test_a_slice_of_one_class_decides_nothing(gate, models, command):
    configure(models, command, 0.5, 'where = {label = "1"}\n')
    ran = gate(command)
    assert ran.status == 3, ran.err
    assert "only one class" in json.loads(ran.out)["gates"][0]["message"]


@BOTH
def test_contradictory_rules_fail(gate, command):
    metric = RULES[command].split()[0]
    assert gate(command, f"{metric} >= 0.01", f"{metric} < 0.01").status == 1


@pytest.mark.thorough
@BOTH
@pytest.mark.parametrize(
    "error",
    ["ZeroDivisionError('planted')", "SystemExit(0)", "MemoryError()", "RecursionError()", "BaseException('x')"],
)
def test_a_crash_while_computing_is_no_verdict(gate, models, command, error):
    code = (
        "import rocconf.compute.roc.curve as planted\n"
        f"def crash(*a, **k): raise {error}\n"
        "planted.curve = crash\n"
        "from rocconf.__main__ import main; main()"
    )
    ran = gate(command, HOPELESS[command], options=("--exit-zero", "-o", "gate.json"), code=code)
    assert (ran.status, ran.out) == (2, ""), ran.err
    assert not (models / "gate.json").exists()


@pytest.mark.thorough
@BOTH
@pytest.mark.parametrize(
    "module", ["numpy", "rocconf.gate.verdict", "rocconf.cli.run", "rocconf.report.junit", "typer"]
)
def test_an_import_that_fails_is_no_verdict(gate, command, module):
    code = f"import sys\nsys.modules['{module}'] = None\nfrom rocconf.__main__ import main; main()"
    ran = gate(command, HOPELESS[command], options=("--exit-zero", "-o", "gate.junit.xml"), code=code)
    assert (ran.status, ran.out) == (2, "")
    assert "internal error" in ran.err


def shell(command, folder, **more):
    return subprocess.run(
        ["bash", "-c", command], cwd=folder, env=environment(**more), capture_output=True, text=True, check=False
    )


@pytest.mark.thorough
@BOTH
@pytest.mark.parametrize(("rules", "status"), [(RULES, 0), (HOPELESS, 1), (OPEN, 3)])
def test_a_reader_who_leaves_changes_nothing(models, command, rules, status):
    run = f"{sys.executable} -m rocconf {' '.join(COMMANDS[command])} --require '{rules[command]}' -q -o gate.json"
    done = shell(f"({run}; echo $? >&2) | true", models)
    assert done.stderr.splitlines()[-1] == str(status)
    assert json.loads((models / "gate.json").read_text(encoding="utf-8"))["exit_code"] == status


@pytest.mark.thorough
@BOTH
@pytest.mark.skipif(not os.access("/dev/full", os.W_OK), reason="needs a device that is always full")
@pytest.mark.parametrize("rules", [RULES, HOPELESS, OPEN])
def test_a_full_disk_is_no_verdict(models, command, rules):
    run = f"{sys.executable} -m rocconf {' '.join(COMMANDS[command])} --require '{rules[command]}' -q"
    assert shell(f"{run} > /dev/full", models).returncode == 2
    assert shell(f"{run} > /dev/null 2> /dev/full", models).returncode in (0, 1, 2, 3)
    assert shell(f"{run} --github > /dev/null", models, GITHUB_STEP_SUMMARY="/dev/full").returncode == 2


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


@pytest.mark.thorough
@BOTH
@pytest.mark.parametrize(("rules", "status"), [(RULES, 0), (HOPELESS, 1), (OPEN, 3)])
def test_every_file_is_written_whatever_the_verdict(gate, models, command, rules, status):
    names = ("gate.json", "gates:gates.csv", "gate.md", "gate.junit.xml")
    options = [part for name in names for part in ("-o", name)]
    ran = gate(command, rules[command], options=(*options, "--plot", "gate.png"))
    assert ran.status == status, ran.err
    written = json.loads((models / "gate.json").read_text(encoding="utf-8"))
    word, title = {
        0: ("pass", "passed"),
        1: ("fail", "failed"),
        3: ("inconclusive", "not enough evidence"),
    }[status]
    assert (written["verdict"], written["exit_code"]) == (word, status)
    assert f",{word}," in (models / "gates.csv").read_text(encoding="utf-8")
    assert f"**verdict: {title} (status {status})" in (models / "gate.md").read_text(encoding="utf-8")
    (suite,) = ET.parse(models / "gate.junit.xml").getroot()  # noqa: S314  # we wrote it ourselves
    assert [suite.get(key) for key in ("failures", "errors")] == [str(int(status == code)) for code in (1, 3)]
    assert (models / "gate.png").stat().st_size > 1000


def test_every_output_of_a_verdict_shows_what_was_asked_and_found(rocconf, models):
    configure(models, "sweep", 0.95, 'name = "ranks well"\n')
    outs = ("gate.json", "gates:gate.csv", "gate.md", "gate.junit.xml")
    ran = rocconf("sweep", "new.csv", "--format", "table", *(part for out in outs for part in ("-o", out)))
    assert ran.status in (1, 3)
    gate = json.loads((models / "gate.json").read_text(encoding="utf-8"))["gates"][0]
    digits = [f"{gate[key]:.6f}"[:4] for key in ("value", "lower", "upper")]
    assert (gate["name"], gate["metric"], gate["op"], gate["limit"]) == ("ranks well", "auc", ">=", 0.95)
    texts = {name.rpartition(":")[2]: (models / name.rpartition(":")[2]).read_text(encoding="utf-8") for name in outs}
    for name, text in {**texts, "stdout": ran.out, "stderr": ran.err}.items():
        for word in ("ranks well", "auc", "=", "0.95", *digits):
            assert word in text, (name, word)
        assert ">=" in text.replace("&gt;", ">"), name


def test_what_could_not_run_leaves_older_files_as_they_were(gate, models):
    (models / "gate.junit.xml").write_text("older", encoding="utf-8")
    (models / "new.csv").write_text("", encoding="utf-8")
    assert gate("sweep", RULES["sweep"], options=("-o", "gate.junit.xml")).status == 2
    assert (models / "gate.junit.xml").read_text(encoding="utf-8") == "older"


def test_a_paired_baseline_must_have_the_same_cases(gate, models):
    labels = np.arange(200) % 2
    write_cases(models / "old.csv", np.arange(200), labels, first=3)
    ran = gate("compare", RULES["compare"], options=("--exit-zero",))
    assert (ran.status, ran.out) == (2, "")
    assert "old.csv: 6 faults" in ran.err
    assert "id 'c0' is only in new.csv" in ran.err
    assert "and 1 more" in ran.err
    labels[[4, 5]] = labels[[5, 4]]
    write_cases(models / "old.csv", np.arange(200), labels)
    ran = gate("compare", RULES["compare"])
    assert (ran.status, ran.out) == (2, "")
    assert "old.csv: 2 faults" in ran.err
    assert "id 'c4' is negative in new.csv and positive in old.csv" in ran.err


def test_a_rule_about_differences_needs_a_baseline(rocconf, models):
    ran = rocconf("compare", "new.csv", "--require", "delta_auc >= 0")
    assert (ran.status, ran.out) == (2, "")
    assert "--baseline" in ran.err
    (models / "new.csv").rename(models / "only.csv")
    assert rocconf(
        "compare", "only.csv", "old.csv", "--baseline", "only", "--require", "delta_auc[old] >= 0"
    ).status in (1, 3)


def test_the_same_scores_are_said_to_be_compared_with_themselves(rocconf, models):
    (models / "copy.csv").write_bytes((models / "new.csv").read_bytes())
    ran = rocconf("compare", "new.csv", "--baseline", "copy.csv", "--require", "delta_auc >= 0", "--format", "json")
    assert "it is compared with itself" in ran.err
    assert "compared-with-itself" in {caveat["code"] for caveat in json.loads(ran.out)["caveats"]}


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
    unnamed = rocconf("sweep", "new.csv", "--require", "auc >= 0.99", "--github", "--format", "json")
    assert unnamed.status == 2
    assert [line for line in unnamed.err.splitlines() if line.startswith(("::", "rocconf: gate p"))] == []
    assert "\x1b" not in unnamed.err
    ran = rocconf("sweep", "new.csv", "--score", name, "--require", "auc >= 0.99", "--github", "--format", "json")
    assert ran.status == 1
    lines = ran.err.splitlines()
    assert [line for line in lines if line.startswith(("::", "rocconf: gate p"))] == [
        line for line in lines if line.startswith("::error title=")
    ]
    assert "\x1b" not in ran.err.replace(next(line for line in lines if line.startswith("::")), "")


def test_a_run_without_rules_loads_no_gate(rocconf, models):
    code = (
        "import sys\nfrom rocconf.__main__ import main\ntry:\n    main()\nfinally:\n"
        "    print(sorted({'tomllib', 'rocconf.gate.verdict', 'rocconf.gate.config'} & set(sys.modules)), file=sys.stderr)"
    )
    (models / "pyproject.toml").write_text("[project]\nname = 'x'\n", encoding="utf-8")
    assert rocconf("sweep", "new.csv", "-q", code=code).err == "[]\n"
