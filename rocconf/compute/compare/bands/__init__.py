"""Bands around a ROC curve."""

from rocconf.compute.compare.bands.limits import KINDS, Band, band, fixed_width, require_band

__all__ = ["KINDS", "Band", "band", "fixed_width", "require_band"]
