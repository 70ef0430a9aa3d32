"""The confident region of ROC space."""

import pytest
from plot_cases import legend_texts, painted, results_of

from rocconf.errors import UsageError


def test_the_legend_names_the_region_and_the_confident_points():
    figure = painted(results_of("tango", "ten cases"), "region")
    assert legend_texts(figure)[1:] == [
        "confident region",
        "as many missed as false alarms",
        "score",
        "confident points",
    ]


def test_models_of_different_cases_have_no_region_in_common():
    with pytest.raises(UsageError, match="draw one at a time"):
        painted([*results_of("tango", "ten cases"), *results_of("tango", "many cases")], "region")
