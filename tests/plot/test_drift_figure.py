"""The figure of drift: new curves over those of the reference, with the decision."""

import pytest
from plot_cases import legend_texts, painted, results_of, texts, words

from rocconf.errors import UsageError
from rocconf.plot.chart_rows import drawn_steps


@pytest.mark.thorough
def test_the_new_curves_lie_over_the_old_ones():
    (result,) = results_of("sensibility", "drift")
    left, right = painted([result], "drift").axes
    for axes, curves in ((left, 2), (right, 1)):
        lines = [line for line in axes.lines if len(line.get_xdata()) > 2]
        assert sorted(line.is_dashed() for line in lines) == [False] * curves + [True] * curves
        assert min(line.get_zorder() for line in lines if not line.is_dashed()) > max(
            line.get_zorder() for line in lines if line.is_dashed()
        )
    dashed = next(line for line in left.lines if line.is_dashed() and len(line.get_xdata()) > 2)
    assert dashed.get_xydata().tolist() == drawn_steps(result.reference, "sensibility").tolist()


def test_the_decision_is_in_the_title_and_the_files_in_the_legend():
    (result,) = results_of("sensibility", "drift")
    figure = painted([result], "drift")
    assert f"{result.drift.conclusion} (permutation test, p = " in words(figure)
    assert "AUC" in words(figure)
    assert [entry.partition(":")[0] for entry in legend_texts(figure)[3:5]] == ["these cases", "reference"]
    assert "last_year.csv" in legend_texts(figure)[4]


@pytest.mark.thorough
def test_the_test_stays_on_one_line_and_the_legend_names_the_midpoint():
    figure = painted(results_of("sensibility", "drift"), "drift")
    assert legend_texts(figure)[-2:] == ["midpoint", "the midpoint as a threshold"]
    (decision,) = [text.get_text() for text in texts(figure) if "permutation" in text.get_text()]
    assert " ".join(decision.splitlines()[-1].split()).endswith(")")
    assert "(permutation" in decision.splitlines()[-1]


@pytest.mark.thorough
def test_each_decision_on_several_models_is_over_its_charts():
    results = results_of("sensibility", "drift of two models")
    for axes, result in zip(painted(results, "drift").axes[::2], results, strict=True):
        caption = " ".join(axes.get_title(loc="left").split())
        assert caption.startswith(f"{result.counts.model}: {result.drift.conclusion}")


def test_drift_needs_a_reference():
    with pytest.raises(UsageError) as error:
        painted(results_of("sensibility", "ten cases"), "drift")
    assert error.value.text("library").endswith("needs reference")
    assert error.value.text("shell").endswith("needs --reference")
