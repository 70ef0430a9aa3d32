"""The ROC curve of one model, and what every analysis needs of it."""
