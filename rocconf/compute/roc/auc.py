"""The areas of a curve at the level of a run: the AUC with its interval, partial areas and the average precision."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocconf.compute.roc.influence import AREAS, AUC, NO_LIMIT
from rocconf.compute.roc.observed import Observed
from rocconf.compute.stats.estimate import Measured
from rocconf.compute.stats.normal import require_level
from rocconf.errors import UsageError
from rocconf.records import INTERVAL_KINDS, ROBUST
from rocconf.table import Column

if TYPE_CHECKING:
    from rocconf.records import IntervalKind

AREA_COLUMNS = (
    *(area.column for area in AREAS.values() if not area.undefined),
    Column("max_fpr", "share", NO_LIMIT),
    *(area.column for area in AREAS.values() if area.undefined),
)


def auc(of: Any, *, level: float = 0.95, interval: IntervalKind = ROBUST) -> Measured:
    """Return the area under the curve of all distinct scores of some counts, with its interval."""
    require_level(level)
    require_interval_kind(interval)
    return Measured(AUC.estimate(of if isinstance(of, Observed) else Observed(of, interval)), level)


def require_interval_kind(kind: str) -> None:
    """Reject an unknown kind of interval."""
    if kind not in INTERVAL_KINDS:
        raise UsageError("interval-kind", found=kind, kinds=" or ".join(INTERVAL_KINDS))


def require_max_fpr(max_fpr: float | None) -> None:
    """Reject a largest false positive rate outside (0, 1]."""
    if max_fpr is not None and not 0 < max_fpr <= 1:
        raise UsageError("max-fpr-range", max_fpr=max_fpr)


def area_values(of: Observed) -> dict[str, float | None]:
    """Return the areas of a curve besides the AUC, None without a largest false positive rate."""
    return {name: area.value(of) for name, area in AREAS.items()}
