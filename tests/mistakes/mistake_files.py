"""The files that the mistakes are made with: two models on the same 400 cases, and what can go wrong with such files."""

import gzip
import json
import math
import random

CASES, POSITIVES = 400, 160


def write_files(folder):
    """Write every file but the reports."""
    new, old, other = models()
    written = {
        "new.csv": table("id,label,score", new),
        "old.csv": table("id,label,score", old),
        "copy.csv": table("id,label,score", new),
        "other.csv": table("id,label,score", other),
        "shuffled.csv": table("id,label,score", random.Random(4).sample(new, CASES)),
        "both.csv": table("id,label,new,old", joined(new, old)),
        "candidate.csv": table("id,label,candidate", new),
        "defaults.csv": table("id,label,score,prob", joined(new, old)),
        "wide.csv": table("id,label,score,age,region,month", [(*case, *about(case[0])) for case in new]),
        "uid.csv": table("uid,label", [(1000.5 + at, case[1]) for at, case in enumerate(new)]),
        "words.csv": table("id,label,score", [(a, "yes" if b else "no", c) for a, b, c in new]),
        "no_ids.csv": table("label,score", [case[1:] for case in new]),
        "old_no_ids.csv": table("label,score", [case[1:] for case in old]),
        "twice.csv": table("label,score", [case[1:] for case in new] * 2),
        "twice_ids.csv": table("id,label,score", new * 2),
        "merged_releases.csv": table("id,label,score", new + old),
        "shuffled_no_ids.csv": table("label,score", random.Random(4).sample([case[1:] for case in new], CASES)),
        "more.csv": table("id,label,score", [*old, *other[:3]]),
        "fewer.csv": table("id,label,score", old[:-3]),
        "relabelled.csv": table("id,label,score", [(a, 1 - b if at < 4 else b, c) for at, (a, b, c) in enumerate(old)]),
        "swapped.csv": table("id,label,score", [(a, 1 - b, c) for a, b, c in new]),
        "reversed.csv": table("id,label,score", [(a, b, round(1 - c, 6)) for a, b, c in new]),
        "percent.csv": table("id,label,score", [(a, b, round(100 * c, 4)) for a, b, c in new]),
        "percent_old.csv": table("id,label,score", [(a, b, round(100 * c, 4)) for a, b, c in old]),
        "leaked.csv": table("id,label,score", [(a, b, b / 2 + c / 3) for a, b, c in new]),
        "labels_as_scores.csv": table("id,label,score", [(a, b, int(c > 0.5)) for a, b, c in new]),
        "constant.csv": table("id,label,score", [(a, b, 0.5) for a, b, _ in new]),
        "all_positive.csv": table("id,label,score", [(a, 1, c) for a, _, c in new]),
        "number_ids.csv": table("id,label,score", [(at, b, c) for at, (_, b, c) in enumerate(new)]),
        "float_ids.csv": table("id,label,score", [(float(at), b, c) for at, (_, b, c) in enumerate(old)]),
        "zero_ids.csv": table("id,label,score", [(f"{at:05}", b, c) for at, (_, b, c) in enumerate(old)]),
        "blank_ids.csv": table("id,label,score", [(f" {a}", b, c) for a, b, c in old]),
        "upper_ids.csv": table("id,label,score", [(a.upper(), b, c) for a, b, c in old]),
        "counts.csv": counts(new, 1),
        "counts_twice.csv": counts(new, 2),
        "semicolons.csv": table("id,label,score", new).replace(",", ";"),
        "decimal_commas.csv": table("id,label,score", new).replace(",", ";").replace("0.", "0,"),
        "tabs.csv": table("id,label,score", new).replace(",", "\t"),
        "bom.csv": "\ufeff" + table("id,label,score", new),
        "no_header.csv": table("id,label,score", new).partition("\n")[2],
        "one_nan.csv": table("id,label,score", [*new[:-1], (*new[-1][:2], "nan")]),
        "one_empty.csv": table("id,label,score", [*new[:-1], (*new[-1][:2], "")]),
        "one_text.csv": table("id,label,score", [*new[:-1], (*new[-1][:2], "n/a")]),
        "half_empty.csv": table("id,label,score", [(a, b, c if a[-1] in "02468" else "") for a, b, c in new]),
        "ragged.csv": table("id,label,score", [*new[:-1], (*new[-1], 7)]),
        "third_label.csv": table("id,label,score", [*new[:-1], (new[-1][0], 2, 0.5)]),
        "cut.csv": table("id,label,score", new)[:-4],
        "infinite.csv": table("label,score", [(1, "inf"), (0, "-inf")] * 9),
        "denormal.csv": table("label,score", [(1, "5e-324"), (0, "0")] * 9),
        "hair.csv": table("label,score", [(1, "0.10000000000000000001"), (0, "0.1")] * 30),
        "zeros.csv": table("label,score", [(1, "0"), (0, "-0.0")] * 30),
        "ranked.csv": table("row,label", [(at, int(at >= 30)) for at in range(60)]),
        "weighted.csv": table(
            "score,positives,negatives", [(at, (1 + at) * 10**6, (25 - at) * 10**6) for at in range(21)]
        ),
        "empty.csv": "",
        "header.csv": "id,label,score\n",
        "ten.csv": table("id,label,score", [case for case in new if case[1]][:5] + [c for c in new if not c[1]][:5]),
    }
    for name, text in written.items():
        (folder / name).write_text(text, encoding="utf-8")
    whole = table("id,label,score", new).encode()
    (folder / "cut.csv.gz").write_bytes(gzip.compress(whole, mtime=0)[:-20])
    (folder / "not_zipped.csv.gz").write_bytes(whole)
    (folder / "zipped.csv").write_bytes(gzip.compress(whole, mtime=0))
    (folder / "sheet.csv").write_bytes(b"PK\x03\x04\x14\x00\x06\x00\x08\x00\x00\x00!\x00" + bytes(200))
    (folder / "parquet.csv").write_bytes(b"PAR1" + bytes(200) + b"PAR1")
    (folder / "text.parquet").write_bytes(whole)
    (folder / "utf16.csv").write_text(whole.decode(), encoding="utf-16")
    (folder / "latin.csv").write_bytes(whole.replace(b"c0,", b"caf\xe9,", 1))
    (folder / "deep.json").write_text("[" * 100_000, encoding="utf-8")
    (folder / "folder").mkdir()


def models():
    """Return two models on the same cases, the second a little worse, and the first on others."""
    return scored(1, "c", 2.0), scored(1, "c", 1.9, noise=0.3), scored(2, "d", 2.0)


def scored(seed, letter, distance, noise=0.0):
    """Return cases: id, label and score."""
    rng, more = random.Random(seed), random.Random(seed + 100)
    cases = []
    for at in range(CASES):
        label = int(at % 5 < 2)
        z = distance * label - 1 + rng.gauss(0, 1) + noise * more.gauss(0, 1)
        cases.append((f"{letter}{at}", label, round(1 / (1 + math.exp(-z)), 6)))
    return cases


def joined(new, old):
    return [(*case, other[2]) for case, other in zip(new, old, strict=True)]


def about(case):
    number = int(case[1:])
    return 20 + number % 60, ("north", "south", "South ", "west")[number % 4], f"2024-{1 + number % 3:02}"


def table(header, rows):
    return "\n".join([header, *(",".join(map(str, row)) for row in rows)]) + "\n"


def counts(cases, times):
    found = {}
    for _, label, score in cases:
        found.setdefault(round(score, 2), [0, 0])[1 - label] += times
    return table("score,positives,negatives", [(score, *of) for score, of in sorted(found.items())])


def edited(report, **changes):
    """Return the text of a report in which values at paths like `summary.auc` are replaced."""
    document = json.loads(report)
    for path, value in changes.items():
        *way, last = path.split("__")
        place = document
        for step in way:
            place = place[int(step) if step.isdigit() else step]
        place[last] = value
    return json.dumps(document)
