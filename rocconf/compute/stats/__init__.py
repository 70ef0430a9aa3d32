"""Statistics of arrays and numbers: they know no file, no model and no curve."""
