"""`--cluster COLUMN`: how clusters are read, what the answer says of them, and where they are refused."""

import json

import numpy as np
import pandas as pd
import pytest
from conftest import SAMPLE_DATA
from in_process import run_in_process

import rocconf

RNG = np.random.default_rng(7)


def rows_of(patients=40, most=6):
    rows = []
    for patient in range(patients):
        own = RNG.normal()
        for _ in range(RNG.integers(1, most)):
            label = int(RNG.random() < 0.4)
            scores = [0.8 * own + 0.8 * RNG.normal() + 1.3 * label for _ in range(2)]
            rows.append((len(rows) + 1, f"p{patient}", label, *(round(1 / (1 + np.exp(-x)), 3) for x in scores)))
    return rows


ROWS = rows_of()
HEADER = "id,patient,label,old,new"


def text_of(rows, header=HEADER):
    return "\n".join([header, *(",".join(map(str, row)) for row in rows)]) + "\n"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "c.csv").write_text(text_of(ROWS))
    return tmp_path


def ran(folder, line, **more):
    return run_in_process(line.split(), folder=folder, **more)


def report(folder, line):
    done = ran(folder, f"{line} -o r.json -q")
    assert done.status in (0, 1, 3), done.err
    return json.loads((folder / "r.json").read_text())


SENSIBILITY = "an analysis of sensibility (the interval of the struggle ratio, the test for drift)"
PATIENTS = len({row[1] for row in ROWS})


def test_the_answer_names_the_clusters(folder):
    done = ran(folder, "sweep c.csv --score new --cluster patient --format table")
    assert f"{len(ROWS)} cases in {PATIENTS} clusters" in " ".join(done.out.split())
    done = ran(folder, "compare c.csv --score old --score new --baseline old --cluster patient --format table")
    assert f"{len(ROWS)} cases in {PATIENTS} clusters" in " ".join(done.out.split())


def test_a_report_has_the_option_the_clusters_and_what_rules_rest_on(folder):
    found = report(folder, "sweep c.csv --score new --cluster patient --at 0.5")
    assert found["options"]["cluster"] == "patient"
    assert (found["inputs"][0]["cluster"], found["inputs"][0]["clusters"]) == ("patient", PATIENTS)
    model = found["tables"]["models"][0]
    assert model["clusters"] == PATIENTS
    assert model["positive_clusters"] == len({row[1] for row in ROWS if row[2]})
    assert model["negative_clusters"] == len({row[1] for row in ROWS if not row[2]})
    sizes = {row["metric"]: row for row in found["tables"]["effective_sizes"]}
    assert sizes["tpr"]["lower"] < sizes["tpr"]["value"] < sizes["tpr"]["upper"]


def test_without_the_option_nothing_of_a_report_is_about_clusters(folder):
    found = report(folder, "sweep c.csv --score new --at 0.5")
    assert found["options"]["cluster"] is None
    assert "cluster" not in found["inputs"][0]
    assert "clusters" not in found["tables"]["models"][0]
    assert found["tables"]["effective_sizes"] == []


def test_the_table_of_sizes_needs_the_option(folder):
    done = ran(folder, "sweep c.csv --score new -o effective_sizes:s.csv")
    assert (done.status, "--cluster" in done.err) == (2, True)
    assert ran(folder, "sweep c.csv --score new --cluster patient -o effective_sizes:s.csv -q").status == 0
    assert (folder / "s.csv").read_text().startswith("model,rule,metric,value,lower,upper,clusters")


def test_the_library_and_the_command_agree(folder):
    cases = rocconf.read_predictions(folder / "c.csv", score="new", cluster="patient")
    found = report(folder, "sweep c.csv --score new --cluster patient")
    area = rocconf.sweep(rocconf.count(cases)).auc
    model = found["tables"]["models"][0]
    assert (model["auc_lower"], model["auc_upper"]) == (area.interval.lower, area.interval.upper)
    frame = rocconf.read_frame(pd.read_csv(folder / "c.csv"), score="new", label="label", cluster="patient")
    assert rocconf.sweep(rocconf.count(frame)).auc == area


def test_clusters_widen_the_interval(folder):
    alone, together = (report(folder, f"sweep c.csv --score new {option}") for option in ("", "--cluster patient"))
    one, other = (each["tables"]["models"][0] for each in (alone, together))
    assert other["auc_upper"] - other["auc_lower"] > one["auc_upper"] - one["auc_lower"]


def test_the_configuration_may_name_the_column(folder):
    (folder / "rocconf.toml").write_text('[data]\ncluster = "patient"\nscore = "new"\n')
    assert report(folder, "sweep c.csv")["options"]["cluster"] == "patient"
    done = ran(folder, "chi2-contours c.csv")
    assert done.status == 2
    assert "the chi-square test takes each as independent" in " ".join(done.err.split())
    done = ran(folder, "count c.csv -o n.csv")
    assert (done.status, "a file of counts takes each" in " ".join(done.err.split())) == (2, True)


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("chi2-contours c.csv --score new --cluster patient", "the chi-square test"),
        ("sensibility c.csv --score new --cluster patient", SENSIBILITY),
        ("sensibility c.csv --score new --cluster patient --reference c.csv", SENSIBILITY),
        ("sweep c.csv --score new --cluster patient --at fpr<=0.2 --assurance 0.9", "the promise of --assurance"),
        ("sweep c.csv --score new --cluster patient --concavities 9", "the test of concavities"),
        ("tango c.csv --score new --cluster patient --bootstrap 20", "a bootstrap of single cases"),
        ("tango c.csv --score new --cluster patient --test mid-p", "any --test but tango"),
        ("tango c.csv --score new --cluster patient --prevalence 0.1", "the segment at another --prevalence"),
        ("compare c.csv --score old --score new --cluster patient --bootstrap 20", "a bootstrap of single cases"),
        ("compare c.csv --score old --score new --cluster patient --band ks --plot roc:x.png", "a band around a curve"),
        ("compare c.csv --score old --score new --cluster patient --plot x.png", "a bootstrap of single cases"),
        ("sweep c.csv --score new --cluster patient --plot calibration:x.png", "the band of calibrated scores"),
        ("tango c.csv --score new --cluster patient --plot region:x.png", "the region of confident points"),
    ],
)
def test_what_takes_cases_as_independent_is_refused(folder, line, what):
    done = ran(folder, line)
    assert (done.status, done.out) == (2, "")
    assert f"and {what} takes each as independent" in " ".join(done.err.split())
    assert "--cluster" in done.err
    assert not (folder / "x.png").exists()


def test_scores_without_labels_refuse_clusters(folder):
    done = ran(folder, "sensibility c.csv --unlabelled --reference c.csv --score new --cluster patient")
    assert done.status == 2
    assert "takes each as independent" in " ".join(done.err.split())


@pytest.fixture
def images(tmp_path):
    """Write the images with a view of each, the site and the fold of the patient, and scores of three grades."""
    frame, random = pd.read_csv(SAMPLE_DATA / "images.csv"), np.random.default_rng(2)
    number = frame["patient"].str[1:].astype(int)
    frame = frame.assign(view=random.choice(["ap", "lateral"], len(frame)), site=number % 2, fold=number % 3)
    frame["grade"] = np.where(frame["label"] == 1, random.choice(["b", "c"], len(frame)), "a")
    for model in "pq":
        for grade in "abc":
            frame[f"{model}_{grade}"] = (random.random(len(frame)) + (frame["grade"] == grade) / 2).round(3)
    frame.to_csv(tmp_path / "i.csv", index=False)
    for at, name in enumerate(("even", "odd")):
        frame[at::2].to_csv(tmp_path / f"{name}.csv", index=False)
    return tmp_path


OF_TWO = "i.csv --label label --score"
OF_THREE = "i.csv --one-vs-rest --label grade"
UNPAIRED = "compare even.csv odd.csv --label label --score new --baseline odd --unpaired"
ANSWERED = {
    f"sweep {OF_TWO} new --max-fpr 0.2 --calibration --cost 1:5": [
        *("average_precision >= 0.1", "partial_auc >= 0.01", "brier <= 0.5", "log_loss <= 2", "mcb <= 0.5"),
        *("f1@0.5 >= 0.1", "youden_j@0.5 >= -0.1", "balanced_accuracy@0.5 >= 0.1", "cost@0.5 <= 4"),
        *("net_benefit@0.5 >= -0.5", "mcc@0.5 >= -0.1", "lift@0.5 >= 0.5"),
    ],
    f"compare {OF_TWO} new --score old --baseline old --max-fpr 0.2 --calibration --cost 1:5": [
        *("delta_average_precision >= -0.5", "delta_partial_auc >= -0.1", "delta_brier <= 0.5", "delta_log_loss <= 2"),
        *("delta_f1@0.5 >= -0.5", "delta_youden_j@0.5 >= -0.9", "delta_balanced_accuracy@0.5 >= -0.5"),
        *("delta_cost@0.5 <= 2", "delta_net_benefit@0.5 >= -0.9", "delta_tpr@0.5 >= -0.9"),
    ],
    f"{UNPAIRED} --max-fpr 0.2 --calibration --cost 1:5:0.3": [
        *("delta_auc >= -0.5", "delta_average_precision >= -0.9", "delta_partial_auc >= -0.19", "delta_brier <= 0.5"),
        *("delta_tpr@0.5 >= -0.9", "delta_f1@0.5 >= -0.9", "delta_cost@0.5 <= 2"),
    ],
    f"sweep {OF_TWO} new --by view --by site": ["auc by view >= 0.1", "tpr@0.5 by site >= 0.1"],
    f"sweep {OF_TWO} new --fold fold": ["cv_auc >= 0.1"],
    f"sweep {OF_TWO} new --fold fold --by view": ["cv_auc by view >= 0.1"],
    f"compare {OF_TWO} new --score old --baseline old --by view": [
        *("delta_auc by view >= -0.9", "delta_accuracy@0.5 by view >= -0.9", "auc by view >= 0.1"),
    ],
    f"compare {OF_TWO} new --score old --baseline old --fold fold": ["delta_cv_auc >= -0.9"],
    f"{UNPAIRED} --by view": ["delta_auc by view >= -0.9", "delta_tpr@0.5 by view >= -0.99"],
    f"{UNPAIRED} --fold fold": ["delta_cv_auc >= -0.9"],
    f"sweep {OF_THREE} --score p": ["macro_auc >= 0.1", "auc >= 0.1"],
    f"sweep {OF_THREE} --score p --by view": ["macro_auc by view >= 0.1", "auc by view >= 0.1"],
    f"compare {OF_THREE} --baseline q --by view": ["delta_macro_auc by view >= -0.9", "delta_auc by view >= -0.9"],
}


@pytest.mark.parametrize("cluster", [(), ("--cluster", "patient")], ids=["alone", "clusters"])
@pytest.mark.parametrize("line", ANSWERED)
def test_every_combination_is_answered(images, line, cluster):
    rules = [word for rule in ANSWERED[line] for word in ("--require", rule)]
    done = run_in_process([*line.split(), *cluster, *rules, "--format", "json", "--isolated"], folder=images)
    assert done.status == 0, done.err
    gates = json.loads(done.out)["gates"]
    assert {gate["name"] for gate in gates} == set(ANSWERED[line])
    assert all(gate["lower"] < gate["upper"] for gate in gates)


def test_a_slice_of_clustered_images_has_every_digit_of_where(images):
    line = "sweep i.csv --label label --score new --cluster patient --at 0.5 --cost 1:5 --calibration"
    whole, alone = report(images, f"{line} --by view"), report(images, f"{line} --where view=ap")
    (row,) = (row for row in whole["tables"]["slices"] if row["slice"] == "ap")
    assert {key: row[key] for key in alone["summary"]} == alone["summary"]
    (point,) = (each for each in whole["tables"]["slice_points"] if (each["slice"], each["rule"]) == ("ap", "0.5"))
    expected = alone["tables"]["operating_points"][0]
    assert {key: point[key] for key in expected if key in point} == {
        key: expected[key] for key in expected if key in point
    }


def test_a_slice_of_clustered_classes_has_every_digit_of_where(images):
    line = "compare i.csv --one-vs-rest --label grade --baseline q --cluster patient"
    whole, alone = report(images, f"{line} --by site"), report(images, f"{line} --where site=1")
    rows = [row for row in whole["tables"]["slices"] if row["slice"] == "1"]
    for row, expected in zip(rows, alone["rows"], strict=True):
        assert {key: row[key] for key in expected} == expected


def test_files_of_classes_that_are_paired_must_agree_about_the_clusters(images):
    frame = pd.read_csv(images / "i.csv").drop(columns=["p_a", "p_b", "p_c"])
    frame["patient"] = frame["patient"].where(frame["id"] != 5, "P999")
    frame.to_csv(images / "j.csv", index=False)
    pd.read_csv(images / "i.csv").drop(columns=["q_a", "q_b", "q_c"]).to_csv(images / "k.csv", index=False)
    done = ran(images, "compare j.csv k.csv --one-vs-rest --label grade --cluster patient")
    assert (done.status, "id '5' has patient" in done.err) == (2, True)


def test_few_clusters_of_a_slice_leave_its_rule_open(images):
    frame = pd.read_csv(images / "i.csv")
    frame["ward"] = np.where(frame["patient"] < "P009", "small", "large")
    frame.to_csv(images / "i.csv", index=False)
    line = "sweep i.csv --label label --score new --cluster patient --isolated --format json --min-cases 5 --require"
    done = run_in_process([*line.split(), "auc by ward >= 0.01"], folder=images)
    assert done.status == 3, done.err
    assert {gate["slice"]: gate["verdict"] for gate in json.loads(done.out)["gates"]} == {
        "large": "pass",
        "small": "inconclusive",
    }
    assert "1 of 2 slices of ward have a class whose cases are worth fewer than 10 clusters" in done.err


def fault(folder, rows, line="sweep c.csv --score new --cluster patient", header=HEADER):
    (folder / "c.csv").write_text(text_of(rows, header))
    done = ran(folder, line)
    assert (done.status, done.out) == (2, "")
    return " ".join(done.err.split())


@pytest.mark.parametrize("missing", ["", "NA", " ", "null"])
def test_an_empty_cell_is_no_cluster(folder, missing):
    rows = [row if at % 9 else (row[0], missing, *row[2:]) for at, row in enumerate(ROWS)]
    said = fault(folder, rows)
    assert "line 2: patient has no value" in said
    assert f"and {len(ROWS[::9]) - 5} more" in said


def test_cases_without_a_cluster_are_dropped_and_counted_if_asked(folder):
    rows = [row if at else (row[0], "", *row[2:]) for at, row in enumerate(ROWS)]
    (folder / "c.csv").write_text(text_of(rows))
    found = report(folder, "sweep c.csv --score new --cluster patient --na drop")
    assert (found["inputs"][0]["dropped"], found["inputs"][0]["n"]) == (1, len(ROWS) - 1)


def test_a_single_cluster_gives_no_interval(folder):
    said = fault(folder, [(row[0], "p1", *row[2:]) for row in ROWS])
    assert f"all {len(ROWS)} cases are of one cluster (patient 'p1')" in said


@pytest.mark.parametrize("column", ["label", "new"])
def test_the_column_of_clusters_is_neither_the_label_nor_a_score(folder, column):
    assert "cannot be groups of cases and the label or a score too" in fault(
        folder, ROWS, f"sweep c.csv --score new --cluster {column}"
    )


def test_a_missing_column_is_named_with_what_there_is(folder):
    assert "no column 'patients' (found: id, patient, label, old, new); did you mean 'patient'?" in fault(
        folder, ROWS, "sweep c.csv --score new --cluster patients"
    )


def test_a_counts_file_and_a_long_file_have_no_clusters(folder):
    (folder / "n.csv").write_text("score,positives,negatives\n0.5,3,4\n0.7,5,1\n")
    done = ran(folder, "sweep n.csv --cluster patient")
    assert (done.status, "a counts file has no column 'patient'" in done.err) == (2, True)
    done = ran(folder, "compare c.csv --model patient --cluster id --score new")
    assert (done.status, "leave out --model" in done.err) == (2, True)


def test_each_case_in_a_cluster_of_its_own_is_independent(folder):
    alone, together = (report(folder, f"sweep c.csv --score new {option}") for option in ("", "--cluster id"))
    one, other = (each["tables"]["models"][0] for each in (alone, together))
    for key in ("auc_lower", "auc_upper", "auc_se", "auc_df"):
        assert other[key] == pytest.approx(one[key], abs=1e-12)


def test_files_that_are_paired_must_agree_about_the_clusters(folder):
    (folder / "a.csv").write_text(text_of([(row[0], row[1], row[2], row[3]) for row in ROWS], "id,patient,label,score"))
    moved = [(row[0], "p39" if at == 4 else row[1], row[2], row[4]) for at, row in enumerate(ROWS)]
    (folder / "b.csv").write_text(text_of(reversed(moved), "id,patient,label,score"))
    done = ran(folder, "compare a.csv b.csv --baseline a --cluster patient")
    assert done.status == 2
    assert "id '5' has patient" in done.err
    same = [(row[0], row[1], row[2], row[4]) for row in ROWS]
    (folder / "b.csv").write_text(text_of(reversed(same), "id,patient,label,score"))
    found = report(folder, "compare a.csv b.csv --baseline a --cluster patient")
    beside = report(folder, "compare c.csv --score old --score new --baseline old --cluster patient")
    keys = ("difference_lower", "difference_upper", "p")
    assert [found["tables"]["pairs"][0][key] for key in keys] == [beside["tables"]["pairs"][0][key] for key in keys]


@pytest.mark.parametrize("rule", ["auc >= 0.3", "tpr@threshold=0.5 >= 0.2", "average_precision >= 0.2"])
def test_clusters_are_planned_by_their_estimate(folder, rule):
    options = ["--score", "new", "--cluster", "patient", "--format", "json", "-q"]
    done = run_in_process(["plan", "c.csv", *options, "--require", rule], folder=folder)
    assert done.status == 0, done.err
    assert json.loads(done.out)["rows"][0]["method"] == "formula"
    done = run_in_process(["plan", "c.csv", *options, "--half-width", "0.1"], folder=folder)
    assert "a plan of the width of an interval takes each as independent" in " ".join(done.err.split())


def test_a_report_of_clusters_is_a_baseline_for_other_cases(folder):
    report(folder, "sweep c.csv --score new --cluster patient --at 0.5")
    line = "compare c.csv --score old --baseline r.json --at 0.5 --require delta_auc>=-0.99 -q"
    assert ran(folder, f"{line} --cluster patient").status in (0, 3)
    done = ran(folder, line)
    assert (done.status, "name the --cluster of both" in done.err) == (2, True)


def test_a_report_that_took_cases_as_independent_is_no_baseline_for_clusters(folder):
    report(folder, "sweep c.csv --score new")
    done = ran(folder, "compare c.csv --score old --baseline r.json --cluster patient --require delta_auc>=-0.99 -q")
    assert (done.status, "name the --cluster of both" in done.err) == (2, True)


def chosen(folder, rows, header=HEADER):
    (folder / "v.csv").write_text(text_of(rows, header))
    line = "sweep c.csv --score new --cluster patient --choose-on v.csv --at youden -o r.json -q"
    return run_in_process([*line.split(), "--require", "tpr@youden >= 0.1"], folder=folder)


def test_thresholds_may_be_chosen_on_other_clusters_only(folder):
    others = [(row[0], f"q{row[1]}", *row[2:]) for row in rows_of()]
    done = chosen(folder, others)
    assert done.status == 0, done.err
    assert run_in_process(["gate", "r.json"], folder=folder).status == 0
    for name in (ROWS[0][1], f"{ROWS[0][1].upper()} "):
        done = chosen(folder, [(others[0][0], name, *others[0][2:]), *others[1:]])
        assert done.status == 2
        assert f"1 of its clusters of patient are judged too ('{name}')" in " ".join(done.err.split())


def test_a_file_to_choose_on_without_the_clusters_is_refused(folder):
    others = [(row[0], row[2], row[3], row[4]) for row in rows_of()]
    done = chosen(folder, others, "id,label,old,new")
    assert done.status == 2
    assert "v.csv: no column 'patient'" in done.err


def test_a_slice_is_judged_on_its_own_clusters(folder):
    rows = [(*row, "ab"[int(row[1][1:]) % 2]) for row in ROWS]
    (folder / "c.csv").write_text(text_of(rows, f"{HEADER},site"))
    (folder / "rocconf.toml").write_text(
        '[data]\ncluster = "patient"\n[[gate]]\ncommand = "sweep"\nmetric = "auc"\nop = ">="\nvalue = 0.5\nwhere = {site = "a"}\n'
    )
    found = report(folder, "sweep c.csv --score new")
    (folder / "rocconf.toml").unlink()
    alone = report(folder, "sweep c.csv --score new --cluster patient --where site=a")
    gate, model = found["gates"][0], alone["tables"]["models"][0]
    assert (gate["lower"], gate["upper"]) == (model["auc_lower"], model["auc_upper"])


SUSPECTED = "several cases have the same"


@pytest.mark.parametrize("name", ["patient", "Subject", "user", "group", "visit_id"])
def test_a_column_of_repeated_patients_is_pointed_out(folder, name):
    (folder / "c.csv").write_text(text_of(ROWS, HEADER.replace("patient", name)))
    done = ran(folder, "sweep c.csv --score new")
    assert f"{SUSPECTED} {name}" in " ".join(done.err.split())
    assert f"--cluster {name} allows for it" in " ".join(done.err.split())
    assert SUSPECTED not in ran(folder, f"sweep c.csv --score new --cluster {name}").err


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("patient_ids", "sweep c.csv --score new"),
        ("doctor", "sweep c.csv --score new"),
        ("patient", "sweep c.csv --score new --where patient!=p0"),
    ],
)
def test_other_columns_are_not_pointed_out(folder, name, line):
    (folder / "c.csv").write_text(text_of(ROWS, HEADER.replace("patient", name)))
    done = ran(folder, line)
    assert (done.status, SUSPECTED in done.err) == (0, False)


def test_a_joined_column_of_different_values_is_not_pointed_out(folder):
    rows = [(row[0], f"v{row[0]}" if at % 3 else "", *row[2:]) for at, row in enumerate(ROWS)]
    (folder / "c.csv").write_text(text_of(rows, HEADER.replace("patient", "visit_id")))
    assert SUSPECTED not in ran(folder, "sweep c.csv --score new").err


def test_the_column_of_ids_is_not_pointed_out(folder):
    rows = [(f"v{row[0]}", *row[2:]) for row in ROWS]
    (folder / "c.csv").write_text(text_of(rows, "visit_id,label,old,new"))
    assert SUSPECTED not in ran(folder, "sweep c.csv --score new --id visit_id").err


def test_only_the_first_thousand_rows_are_looked_at(folder):
    rows = [(at, f"v{at}" if at < 1001 else "v7", at % 2, 0.5, (at % 7) / 7) for at in range(1, 1400)]
    (folder / "c.csv").write_text(text_of(rows))
    assert SUSPECTED not in ran(folder, "sweep c.csv --score new").err
    assert report(folder, "sweep c.csv --score new --cluster patient")["inputs"][0]["clusters"] == 1000


def giant(folder):
    """Write one patient of 200 cases and 40 of 3, whose scores tell the classes apart but for those of some patients."""
    rng = np.random.default_rng(11)
    rows = []
    for patient, size in enumerate([200, *[3] * 40]):
        rows += [(f"p{patient}", label := at % 2, *(np.round(2 * label + rng.normal(size=2), 3))) for at in range(size)]
    (folder / "g.csv").write_text(text_of(rows, "patient,label,old,new"))


GIANT_RULES = (
    "auc >= 0.7",
    "auc < 0.5",
    "tpr@1 >= 0.5",
    "fpr@1 <= 0.5",
    "accuracy@1 >= 0.6",
    "precision@1 >= 0.5",
    "mcc@1 >= 0",
)


@pytest.mark.parametrize("saved", [False, True])
def test_a_giant_cluster_decides_no_rule_on_an_interval(folder, saved):
    giant(folder)
    line = ["sweep", "g.csv", "--score", "new", "--cluster", "patient", "--at", "1"]
    rules = [word for rule in GIANT_RULES for word in ("--require", rule)]
    if saved:
        assert run_in_process([*line, "-o", "r.json", "-q"], folder=folder).status == 0
        line = ["gate", "r.json"]
    done = run_in_process([*line, *rules, "--format", "json"], folder=folder)
    assert done.status == 3, done.err
    gates = json.loads(done.out)["gates"]
    assert [gate["verdict"] for gate in gates] == ["inconclusive"] * len(rules[::2])
    assert {(gate["lower"], gate["upper"]) for gate in gates} == {(None, None)}
    assert all("fewer than 10 clusters of equal size" in gate["message"] for gate in gates)
    assert all("clusters-decide-nothing" in gate["codes"] for gate in gates)


def test_a_giant_cluster_decides_no_rule_on_a_difference_here_or_in_the_report(folder):
    giant(folder)
    rules = ("delta_auc >= -0.5", "delta_tpr@1 >= -0.5", "delta_specificity@1 >= -0.5", "delta_accuracy@1 >= -0.5")
    words = [word for rule in rules for word in ("--require", rule)]
    line = ["compare", "g.csv", "--score", "old", "--score", "new", "--baseline", "old", "--cluster", "patient"]
    plain = run_in_process([*line, "--at", "1", "-o", "plain.json", "-q"], folder=folder)
    live = run_in_process([*line, *words, "--at", "1", "-o", "judged.json", "-q"], folder=folder)
    assert (plain.status, live.status) == (0, 3)
    for name in ("plain.json", "judged.json"):
        done = run_in_process(["gate", name, *words, "--format", "json"], folder=folder)
        assert done.status == 3, done.err
        assert {gate["verdict"] for gate in json.loads(done.out)["gates"]} == {"inconclusive"}
    found = json.loads((folder / "judged.json").read_text())
    assert [caveat["code"] for caveat in found["caveats"]].count("few-clusters") == 2
    found["tables"]["models"][1]["equal_positive_clusters"] = 30.0
    (folder / "judged.json").write_text(json.dumps(found))
    assert run_in_process(["gate", "judged.json"], folder=folder).status == 2


def test_the_value_alone_is_judged_where_a_rule_says_so(folder):
    giant(folder)
    line = ["sweep", "g.csv", "--score", "new", "--cluster", "patient", "--require"]
    assert run_in_process([*line, "auc.point >= 0.7"], folder=folder).status == 0
    assert run_in_process([*line, "tpr.point@1 >= 0.5"], folder=folder).status == 0


@pytest.mark.parametrize(("patients", "status"), [(9, 3), (10, 0)])
def test_ten_clusters_of_equal_size_are_enough(folder, patients, status):
    rows = [(at % patients, at // patients % 2, at // patients % 2 + (at % 7) / 100) for at in range(patients * 40)]
    (folder / "e.csv").write_text(text_of(rows, "patient,label,score"))
    line = ["sweep", "e.csv", "--cluster", "patient"]
    assert (
        run_in_process([*line, "--require", "auc >= 0.5", "--require", "tpr@1 >= 0.5"], folder=folder).status == status
    )


@pytest.mark.parametrize(("patients", "status"), [(9, 3), (10, 0)])
@pytest.mark.parametrize("metric", ["auc", "tpr@threshold=1", "kappa@threshold=1"])
def test_too_few_clusters_of_a_report_decide_no_difference_from_it(folder, metric, patients, status):
    rows = [(at % patients, at // patients % 2, at // patients % 2 + (at % 7) / 100) for at in range(patients * 40)]
    (folder / "e.csv").write_text(text_of(rows, "patient,label,score"))
    (folder / "f.csv").write_text(text_of([(at, *row[1:]) for at, row in enumerate(rows[1:])], "patient,label,score"))
    point = ["--at", "threshold=1"]
    assert run_in_process(["sweep", "e.csv", "--cluster", "patient", *point, "-o", "e.json"], folder=folder).status == 0
    line = ["compare", "f.csv", "--baseline", "e.json", "--cluster", "patient", *point]
    assert run_in_process([*line, "--require", f"delta_{metric} >= -0.9"], folder=folder).status == status


def test_the_share_of_a_class_is_judged_by_its_clusters(folder):
    rows = [
        (at // 20, "abc"[at // 20 % 3], *(0.2 + 0.4 * (each == at // 20 % 3) for each in range(3))) for at in range(600)
    ]
    (folder / "k.csv").write_text(text_of(rows, "patient,label,a,b,c"))
    line = ["sweep", "k.csv", "--one-vs-rest", "--label", "label", "--require", "prevalence[a] >= 0.29"]
    assert run_in_process(line, folder=folder).status == 0
    assert run_in_process([*line, "--cluster", "patient"], folder=folder).status == 3


def test_copies_in_one_cluster_add_nothing_to_calibration(folder):
    found = []
    for copies in (1, 7):
        rows = [(row[0], row[2], row[4]) for row in ROWS[:60] for _ in range(copies)]
        (folder / "k.csv").write_text(text_of(rows, "patient,label,new"))
        (model,) = report(folder, "sweep k.csv --score new --cluster patient --calibration")["tables"]["models"]
        found.append({key: model[key] for key in model if key.startswith(("brier", "mcb", "dsc")) and key != "mcb_p"})
    assert found[0] == pytest.approx(found[1], rel=1e-9)


def test_clusters_of_one_change_no_digit_of_costs(folder):
    line = "sweep c.csv --score new --cost 1:3 --thresholds 0.2,0.4,0.6 -q --format ndjson"
    ran_both = (ran(folder, f"{line} {option}") for option in ("", "--cluster id"))
    alone, clustered = ([json.loads(row) for row in each.out.splitlines()] for each in ran_both)
    for one, other in zip(alone, clustered, strict=True):
        limits = ("cost", "cost_lower", "cost_upper")
        assert [other[key] for key in limits] == pytest.approx([one[key] for key in limits], rel=1e-12)


def test_few_cases_that_are_all_of_different_clusters_are_judged(folder):
    rows = [(f"p{at}", at % 2, at % 2 + at / 100) for at in range(16)]
    (folder / "e.csv").write_text(text_of(rows, "patient,label,score"))
    line = ["sweep", "e.csv", "--cluster", "patient", "--require", "auc >= 0.5", "--require", "tpr@1 >= 0.5"]
    assert run_in_process(line, folder=folder).status == 0


@pytest.mark.parametrize("name", ["", " "])
def test_a_blank_name_of_a_column_is_an_error(folder, name):
    done = run_in_process(["sweep", "c.csv", "--score", "new", "--cluster", name], folder=folder)
    assert (done.status, done.out, "--cluster takes the name of a column" in done.err) == (2, "", True)
    (folder / "rocconf.toml").write_text(f'[data]\ncluster = "{name}"\n')
    assert run_in_process(["sweep", "c.csv", "--score", "new"], folder=folder).status == 2
    with pytest.raises(rocconf.RocconfError, match="takes the name of a column"):
        rocconf.read_predictions(folder / "c.csv", score="new", cluster=name)


@pytest.mark.parametrize("second", [["--cluster", "id"], ["--cluster=id"]])
def test_the_option_given_twice_is_refused(folder, second):
    done = run_in_process(["sweep", "c.csv", "--score", "new", "--cluster", "patient", *second], folder=folder)
    assert (done.status, done.out, "--cluster is given twice" in done.err) == (2, "", True)


@pytest.mark.parametrize(
    "twin", ["P0", "p0 ", " p0", pytest.param("1.0", id="number"), pytest.param("01", id="leading")]
)
def test_clusters_that_are_spelled_nearly_alike_are_pointed_out(folder, twin):
    first = "1" if twin[0] in "01" else "p0"
    rows = [(row[0], twin if at == 0 else first if at == 1 else row[1], *row[2:]) for at, row in enumerate(ROWS)]
    (folder / "c.csv").write_text(text_of(rows))
    said = " ".join(ran(folder, "sweep c.csv --score new --cluster patient").err.split())
    assert "clusters of patient differ in blanks, capitals or the form of a number only" in said


def test_clusters_that_differ_are_not_pointed_out(folder):
    rows = [(*row[:1], [1, 10, "p1", "p10", "1.05"][at % 5], *row[2:]) for at, row in enumerate(ROWS)]
    (folder / "c.csv").write_text(text_of(rows))
    assert "[clusters-alike]" not in ran(folder, "sweep c.csv --score new --cluster patient").err


def test_clusters_of_one_case_each_are_pointed_out_and_hide_no_column_of_patients(folder):
    said = " ".join(ran(folder, "sweep c.csv --score new --cluster id").err.split())
    assert "every case has a value of id of its own, so --cluster id changes nothing" in said
    assert f"{SUSPECTED} patient" in said
    assert "[clusters-of-one]" not in ran(folder, "sweep c.csv --score new --cluster patient").err
