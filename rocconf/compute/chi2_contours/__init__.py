"""Contours of chi-square on the ROC chart (`rocconf chi2-contours`)."""

from rocconf.compute.chi2_contours.chart import Chi2Contours, chi2_contours, contour_levels
from rocconf.compute.chi2_contours.contours import (
    ClassTotals,
    Contour,
    Line,
    accuracies,
    accuracy_line,
    contour,
    cost_line,
    cost_lines,
    shared_totals,
)
from rocconf.compute.chi2_contours.model_on_chart import ModelOnChart

__all__ = [
    "Chi2Contours",
    "ClassTotals",
    "Contour",
    "Line",
    "ModelOnChart",
    "accuracies",
    "accuracy_line",
    "chi2_contours",
    "contour",
    "contour_levels",
    "cost_line",
    "cost_lines",
    "shared_totals",
]
