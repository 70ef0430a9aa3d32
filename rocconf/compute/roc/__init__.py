"""The ROC curve of one model: counts, thresholds, rates, areas and operating points."""
