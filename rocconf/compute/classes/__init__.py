"""More than two classes: each against the rest, and the averages over them (`--one-vs-rest`)."""

from rocconf.compute.classes.class_pairs import AVERAGES
from rocconf.compute.classes.each_class import OneVsRest, averages_apart, class_counts, one_vs_rest

__all__ = ["AVERAGES", "OneVsRest", "averages_apart", "class_counts", "one_vs_rest"]
