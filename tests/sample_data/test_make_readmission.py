"""The file of readmissions is what its maker makes."""

import importlib.util
import io
from contextlib import redirect_stdout
from pathlib import Path

HERE = Path(__file__).parents[2] / "sample_data"


def test_makes_the_committed_file():
    spec = importlib.util.spec_from_file_location("make_readmission", HERE / "make_readmission.py")
    maker = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(maker)
    made = io.StringIO()
    with redirect_stdout(made):
        maker.main()
    lines, committed = made.getvalue().splitlines(), (HERE / "readmission.csv").read_text("utf-8").splitlines()
    assert len(lines) == len(committed)
    for one, other in zip(lines, committed, strict=True):
        assert one.split(",")[:4] == other.split(",")[:4]
    # another mathematical library may round the last printed digit the other way
    pairs = [(one.split(",")[4:], other.split(",")[4:]) for one, other in zip(lines[1:], committed[1:], strict=True)]
    assert max(abs(float(a) - float(b)) for one, other in pairs for a, b in zip(one, other, strict=True)) < 2e-4
