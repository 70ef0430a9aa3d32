"""`rocconf.plan`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocconf.api.cases import Columns, on_cases, predictions_of, require_no_columns
from rocconf.compute.plan import POWER, RUNS
from rocconf.compute.stats.seeds import SEED
from rocconf.errors import UsageError
from rocconf.gate import plan as of_pilot
from rocconf.records import ROBUST, Predictions, ScoreCounts

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Unpack

    from rocconf.compute.plan import Plan
    from rocconf.gate import GateRule
    from rocconf.records import IntervalKind


OWN = ("rules", "pilot", "columns")
"""The parameters that are not passed on by their names."""


@on_cases(of_pilot)
def plan(
    rules: str | GateRule | Iterable[str | GateRule] = (),
    *,
    auc: float | None = None,
    baseline_auc: float | None = None,
    correlation: float | None = None,
    tpr: float | None = None,
    baseline_tpr: float | None = None,
    fpr: float | None = None,
    baseline_fpr: float | None = None,
    disagree: str | None = None,
    prevalence: float | None = None,
    pilot: Any = None,
    baseline: str | None = None,
    limit: float | None = None,
    margin: float | None = None,
    half_width: float | None = None,
    positives: int | None = None,
    negatives: int | None = None,
    cases: int | None = None,
    power: float = POWER,
    level: float = 0.95,
    interval: IntervalKind = ROBUST,
    runs: int = RUNS,
    seed: int = SEED,
    **columns: Unpack[Columns],
) -> Plan:
    """Return how many cases rules like `auc >= 0.8` need, and how often they pass with other numbers of cases.

    The pilot is a data frame, or labels and scores (`pilot=(y, scores)`), or our records.

    Parameters
    ----------
    rules
        A rule, or several. `limit`, `margin` and `half_width` stand for one: `auc >= limit`, `delta_auc > -margin`, and
        an interval of at most this half-width.

    Examples
    --------
    >>> import rocconf
    >>> plan = rocconf.plan("auc >= 0.8", auc=0.85, prevalence=0.1, runs=500)
    >>> 150 < plan.summary()["positives"] < 300
    True
    """
    options = {name: value for name, value in locals().items() if name not in OWN}
    if pilot is not None and not isinstance(pilot, ScoreCounts | Predictions):
        labels, scores = pilot if isinstance(pilot, tuple) and len(pilot) == 2 else (pilot, None)
        pilot = predictions_of(labels, scores, columns, several=True)
    elif pilot is not None:
        require_no_columns(pilot, None, columns)
    elif columns:
        raise UsageError("columns-without-pilot", name=next(iter(columns)))
    return of_pilot(rules, pilot=pilot, **options)
