"""Bands around a ROC curve."""

from rocconf.compute.compare.bands.band_kinds import KINDS, Band, band, fixed_width, require_band

__all__ = ["KINDS", "Band", "band", "fixed_width", "require_band"]
