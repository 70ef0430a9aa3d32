"""Statistics of arrays and numbers, independent of files, models and curves."""
